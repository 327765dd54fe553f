package io.orrery.gateway.notebook;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.bus.contract.Notebooks.Event;
import io.orrery.core.bus.contract.Notebooks.Notebook;
import io.orrery.core.bus.contract.Notebooks.State;
import io.orrery.core.json.Json;
import io.orrery.core.notebook.NotebookName;
import io.orrery.gateway.http.Wire;
import io.orrery.gateway.service.RouterAddress;
import java.util.List;

/** The JSON of notebooks. */
record NotebookShape(RouterAddress router) {
  /** The keys that the answer adds to the document, so that it may be put back as it is. */
  static final List<String> ADDED = List.of("owner", "createdAt", "changedAt", "revision", "state");

  /** The document with what is known of the notebook besides. */
  ObjectNode of(Notebook notebook) {
    ObjectNode shape = (ObjectNode) Json.parse(notebook.document());
    shape
        .put("kind", "Notebook")
        .put("name", notebook.name().value())
        .put("project", notebook.project().value())
        .put("ide", notebook.ide().word())
        .put("owner", notebook.owner())
        .put("createdAt", Wire.time(notebook.createdAt()))
        .put("changedAt", Wire.time(notebook.changedAt()))
        .put("revision", notebook.revision());
    State state = notebook.state();
    ObjectNode told =
        shape
            .putObject("state")
            .put("status", state.status().name())
            .put("reason", state.reason())
            .put("url", url(notebook.name()))
            .put("expiresAt", state.expiresAt() == null ? null : Wire.time(state.expiresAt()))
            .put("since", Wire.time(state.since()))
            .put("exitCode", state.exitCode());
    ArrayNode lines = told.putArray("lastLines");
    state.lastLines().forEach(lines::add);
    return shape;
  }

  /** The address of a notebook's own origin. */
  String url(NotebookName name) {
    return router.guarded(name + ".notebook." + router.domain());
  }

  static ObjectNode of(Event event) {
    return Json.MAPPER
        .createObjectNode()
        .put("number", event.number())
        .put("at", Wire.time(event.at()))
        .put("state", event.state())
        .put("reason", event.reason());
  }
}
