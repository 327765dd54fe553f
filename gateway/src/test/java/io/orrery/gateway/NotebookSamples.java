package io.orrery.gateway;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.contract.Notebooks;
import io.orrery.core.bus.contract.People;
import io.orrery.core.bus.contract.Services.Outcome;
import io.orrery.core.notebook.NotebookIde;
import io.orrery.core.notebook.NotebookName;
import io.orrery.core.notebook.NotebookStatus;
import io.orrery.gateway.ApiSamples.Sample;
import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A request for each operation about notebooks, and a module that answers each. */
final class NotebookSamples {
  static final Map<String, Sample> ALL = new LinkedHashMap<>();

  private static final String ONE = "/api/v1/notebooks/ann-1";
  private static final String DOCUMENT = "{\"name\":\"ann-1\",\"project\":\"vision\"}";

  static {
    sample("listNotebooks", "GET", "/api/v1/notebooks?project=vision", "");
    sample("createNotebook", "POST", "/api/v1/notebooks", DOCUMENT);
    sample("getNotebook", "GET", ONE, "");
    sample("putNotebook", "PUT", ONE, DOCUMENT);
    sample("deleteNotebook", "DELETE", ONE, "");
    sample("startNotebook", "POST", ONE + "/start", "");
    sample("stopNotebook", "POST", ONE + "/stop", "");
    sample("resetNotebook", "POST", ONE + "/reset", "");
    sample("renewNotebook", "POST", ONE + "/renew", "");
    sample("enterNotebook", "GET", ONE + "/enter?follow=false", "");
    sample("listNotebookEvents", "GET", ONE + "/events", "");
    sample("getNotebookLog", "GET", ONE + "/logs", "");
  }

  private NotebookSamples() {}

  private static void sample(String operation, String method, String path, String body) {
    ALL.put(operation, new Sample(method, path, body));
  }

  static void answer(EdgeServer edge) throws Exception {
    var notebook =
        new Notebooks.Notebook(
            new NotebookName("ann-1"),
            new ProjectName("vision"),
            "ann",
            DOCUMENT,
            Samples.THEN,
            Samples.THEN,
            4,
            NotebookIde.JUPYTER,
            List.of(edge.hasAccounts ? "bob" : System.getProperty("user.name")),
            "0123456789abcdef",
            1,
            new Notebooks.State(
                NotebookStatus.IDLE,
                "it is not used",
                3,
                List.of("Bye."),
                Samples.THEN,
                Samples.THEN));
    edge.answer(Notebooks.LIST, new Notebooks.NotebookPage(List.of(notebook), null));
    edge.answer(Notebooks.GET, notebook);
    edge.on(
        Notebooks.PUT,
        put ->
            Future.succeededFuture(
                new Notebooks.PutDone(
                    notebook, put.creates() ? Outcome.CREATED : Outcome.CHANGED, List.of("Odd."))));
    edge.answer(Notebooks.DELETE, new People.Done());
    edge.answer(Notebooks.START, notebook);
    edge.answer(Notebooks.STOP, notebook);
    edge.answer(Notebooks.RESET, notebook);
    edge.answer(Notebooks.RENEW, notebook);
    edge.answer(
        Notebooks.EVENTS,
        new Notebooks.Events(List.of(new Notebooks.Event(1, Samples.THEN, "WARNED", "why"))));
  }
}
