package io.orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads server-sent events as a browser does. */
final class EventReader implements AutoCloseable {
  /** An event; the name {@code end} when the stream is over. */
  record Event(String name, String id, JsonNode data) {}

  private static final JsonNode NOTHING = Json.MAPPER.createObjectNode();

  private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
  private final Stream<String> lines;
  private volatile String id = "";

  private EventReader(Stream<String> lines) {
    this.lines = lines;
    Thread reader = new Thread(this::read, "events");
    reader.setDaemon(true);
    reader.start();
  }

  static EventReader open(EdgeServer edge, String path, @Nullable String lastEventId)
      throws IOException, InterruptedException {
    var request = edge.request(path);
    if (lastEventId != null) {
      request.header("Last-Event-ID", lastEventId);
    }
    HttpResponse<Stream<String>> response =
        edge.client().send(request.build(), BodyHandlers.ofLines());
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.headers().firstValue("Content-Type")).hasValue("text/event-stream");
    return new EventReader(response.body());
  }

  private void read() {
    String[] name = {""};
    String[] data = {""};
    String end = "end";
    try {
      lines.forEach(line -> {
        if (line.startsWith("event: ")) {
          name[0] = line.substring(7);
        } else if (line.startsWith("id: ")) {
          id = line.substring(4);
        } else if (line.startsWith("data: ")) {
          data[0] = line.substring(6);
        } else if (line.isEmpty() && !data[0].isEmpty()) {
          events.add(new Event(name[0], id, Json.parse(data[0])));
          data[0] = "";
        }
      });
    } catch (UncheckedIOException e) {
      end = "broken";
    }
    events.add(new Event(end, id, NOTHING));
  }

  Event next() throws InterruptedException {
    Event event = events.poll(10, TimeUnit.SECONDS);
    assertThat(event).as("an event within 10 s").isNotNull();
    return event;
  }

  Event next(String name) throws InterruptedException {
    Event event = next();
    assertThat(event.name()).isEqualTo(name);
    return event;
  }

  /** The id that a browser would come back with. */
  String lastId() {
    return id;
  }

  boolean silent() {
    return events.isEmpty();
  }

  @Override
  public void close() {
    lines.close();
  }
}
