package io.orrery.gateway.route;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.bus.contract.Routes;
import io.orrery.core.json.Json;
import io.orrery.gateway.live.Event;
import io.orrery.gateway.live.News;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** News of a route table: the states of services that are not as they were, and its revision. */
final class RouteNews implements News {
  private Map<String, JsonNode> known = new HashMap<>();
  private @Nullable String revision;
  private final Map<String, JsonNode> changed = new HashMap<>();

  /** Whether there is anything to tell. */
  boolean add(Routes.Table table) {
    Map<String, JsonNode> now = new HashMap<>();
    for (JsonNode service : table.services()) {
      JsonNode state = service.path("state");
      String host = state.path("host").asText();
      now.put(host, state);
      if (!state.equals(known.get(host))) {
        changed.put(host, state);
      }
    }
    boolean isNew = !changed.isEmpty() || !table.revision().equals(revision);
    known = now;
    revision = table.revision();
    return isNew;
  }

  @Override
  public List<Event> take() {
    ObjectNode json = Json.MAPPER.createObjectNode().put("revision", revision);
    ArrayNode items = json.putArray("items");
    changed.values().forEach(items::add);
    changed.clear();
    return List.of(Event.of("states", json));
  }

  /** Nothing: a newcomer asks for the table itself. */
  @Override
  public List<Event> greeting() {
    return List.of();
  }

  @Override
  public boolean over() {
    return false;
  }
}
