package io.orrery.cli.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.Api;
import io.orrery.cli.client.ProblemResponse;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Unreachable;
import io.orrery.core.json.Json;
import io.orrery.core.problem.ProblemException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Iterator;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Listens to the server's events. Where there is no stream, or it breaks off, it asks instead; so
 * whatever a server that is away means is the other watch's business. After a while it tries to
 * listen again.
 */
final class LiveWatch implements ExperimentWatch, AutoCloseable {
  private static final Duration QUIET = Duration.ofMillis(250);

  /** The quiet spans, 15 s in all, after which a connection counts as lost: it may have died. */
  private static final int MOST_QUIET = 60;

  /** How often is asked before listening is tried again. */
  private static final int LOOKS_BETWEEN = 20;

  private final PollingWatch asking;
  private final Resource events;

  /** The newest state that was not taken yet. */
  private final BlockingQueue<JsonNode> news = new ArrayBlockingQueue<>(1);

  private volatile boolean listening;
  private @Nullable Stream<String> lines;
  private @Nullable JsonNode last;
  private int quiet;
  private int looks;

  /**
   * @param asking used while there is no stream
   */
  LiveWatch(Api api, String experiment, PollingWatch asking) {
    this.asking = asking;
    this.events = Resource.of("experiments", experiment, "events");
    listen(api);
  }

  @Override
  public JsonNode next() {
    JsonNode fresh = take();
    if (fresh != null) {
      last = fresh;
      quiet = 0;
      return fresh;
    }
    if (listening && last != null && ++quiet < MOST_QUIET) {
      return last;
    }
    last = null;
    quiet = 0;
    JsonNode answer = asking.next();
    if (!listening && ++looks % LOOKS_BETWEEN == 0) {
      listen(asking.api());
    }
    return answer;
  }

  private @Nullable JsonNode take() {
    try {
      return listening ? news.poll(QUIET.toMillis(), TimeUnit.MILLISECONDS) : news.poll();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }

  private void listen(Api api) {
    close();
    Stream<String> opened;
    try {
      opened = api.lines(events);
    } catch (Unreachable | ProblemResponse e) {
      return; // Asking deals with it.
    }
    lines = opened;
    listening = true;
    Thread.ofVirtual().start(() -> read(opened));
  }

  private void read(Stream<String> stream) {
    String name = "";
    try {
      for (Iterator<String> each = stream.iterator(); each.hasNext(); ) {
        String line = each.next();
        if (line.startsWith("event: ")) {
          name = line.substring("event: ".length());
        } else if (line.startsWith("data: ") && name.equals("experiment")) {
          JsonNode state = Json.parse(line.substring("data: ".length()));
          news.clear();
          news.add(state);
        }
      }
    } catch (UncheckedIOException | ProblemException e) {
      // The stream broke off, or was none of ours.
    }
    listening = false;
  }

  @Override
  public void close() {
    if (lines != null) {
      lines.close();
      lines = null;
    }
  }
}
