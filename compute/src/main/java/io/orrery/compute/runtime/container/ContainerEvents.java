package io.orrery.compute.runtime.container;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;
import io.orrery.core.time.Clock;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.parsetools.RecordParser;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the engine's events, and tells of containers that have ended. An event is a hint to look;
 * keepers look from time to time anyway. A stream that ends is opened again. Thread safe.
 */
final class ContainerEvents {
  private static final Logger LOG = LoggerFactory.getLogger(ContainerEvents.class);

  private static final Duration AGAIN = Duration.ofSeconds(2);
  private static final int LONGEST_EVENT = 1 << 20;
  private static final Set<String> ENDS = Set.of("die", "died", "destroy", "remove");

  private final EngineClient client;
  private final Clock clock;
  private final String label;
  private final Runnable connected;
  private final Map<String, Runnable> watchers = new ConcurrentHashMap<>();
  private volatile boolean closed;
  private volatile boolean silent;

  /**
   * @param label that the containers have
   * @param connected called on an event loop when the engine answers, at first and again
   */
  ContainerEvents(EngineClient client, Clock clock, String label, Runnable connected) {
    this.client = client;
    this.clock = clock;
    this.label = label;
    this.connected = connected;
  }

  /** Has a runnable called when a container has ended. */
  void watch(String container, Runnable nudge) {
    watchers.put(container, nudge);
  }

  void forget(String container) {
    watchers.remove(container);
  }

  /** Begins to follow. */
  void open() {
    ObjectNode filters = Json.MAPPER.createObjectNode();
    filters.putArray("type").add("container");
    filters.putArray("label").add(label);
    client
        .open(HttpMethod.GET, "/events?filters=" + EngineClient.encoded(Json.write(filters)))
        .onSuccess(this::read)
        .onFailure(failure -> {
          if (!silent && !closed) {
            LOG.warn("could not follow the events of containers: {}", failure.getMessage());
          }
          silent = true;
          again();
        });
  }

  private void read(HttpClientResponse response) {
    silent = false;
    connected.run();
    List.copyOf(watchers.values()).forEach(Runnable::run);
    RecordParser lines = RecordParser.newDelimited("\n", this::event);
    lines.maxRecordSize(LONGEST_EVENT);
    lines.exceptionHandler(tooLong -> response.request().reset());
    response.handler(lines);
    response.exceptionHandler(failure -> again());
    response.endHandler(end -> again());
    response.resume();
  }

  private void event(Buffer line) {
    JsonNode event = Json.parse(line.toString());
    if (ENDS.contains(event.path("Action").asText())) {
      String name = event.path("Actor").path("Attributes").path("name").asText();
      Runnable nudge = watchers.get(name);
      if (nudge != null) {
        nudge.run();
      }
    }
  }

  private void again() {
    if (!closed) {
      clock.after(
          AGAIN,
          () -> {
            if (!closed) {
              open();
            }
          });
    }
  }

  /** Tells no more; the stream ends with the client. */
  void close() {
    closed = true;
  }
}
