package io.orrery.orchestrator.runtime.container;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import io.orrery.core.time.Clock;
import io.orrery.orchestrator.runtime.replica.Prerequisites;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.parsetools.RecordParser;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Has the engine pull images, each once at a time, a few at once. A failure is remembered for a
 * while, so that many replicas of one image ask the registry once. Thread safe.
 */
final class ImagePulls {
  private static final int MOST = 4;
  private static final int LONGEST_LINE = 1 << 20;
  private static final Duration REMEMBERED = Duration.ofSeconds(20);

  private final EngineClient client;
  private final Clock clock;
  private final Map<String, Pull> pulls = new HashMap<>();

  ImagePulls(EngineClient client, Clock clock) {
    this.client = client;
    this.clock = clock;
  }

  /** A pull that is under way. */
  private record Pull(Future<Void> result, Instant since) {}

  /**
   * Looks how far an image is that is not there, and begins to pull it.
   *
   * @param nudge called from any thread when the pull is over
   */
  Prerequisites ask(String image, Runnable nudge) {
    Pull pull = pull(image);
    if (pull == null) {
      return new Prerequisites.Fetching(
          "image %s waits: other images are being pulled".formatted(image));
    }
    if (pull.result.failed()) {
      return new Prerequisites.Missing(sentence(image, pull.result.cause()));
    }
    pull.result.onComplete(done -> nudge.run());
    return new Prerequisites.Fetching(
        "image %s is being pulled, for %d s so far"
            .formatted(image, Duration.between(pull.since, clock.now()).toSeconds()));
  }

  /** Pulls an image, or joins the pull; null when too many others are being pulled. */
  synchronized @Nullable Future<Void> begin(String image) {
    Pull known = pulls.get(image);
    if (known != null && known.result.failed()) {
      pulls.remove(image);
    }
    Pull pull = pull(image);
    return pull == null ? null : pull.result;
  }

  /** The reason why an image cannot be had. */
  static String sentence(String image, Throwable failure) {
    return "image %s is not there and cannot be pulled: %s".formatted(image, failure.getMessage());
  }

  private synchronized @Nullable Pull pull(String image) {
    Pull known = pulls.get(image);
    if (known != null) {
      return known;
    }
    if (pulls.values().stream().filter(pull -> !pull.result.isComplete()).count() >= MOST) {
      return null;
    }
    Pull pull = new Pull(start(image), clock.now());
    pulls.put(image, pull);
    pull.result.onComplete(
        there -> forget(image, pull),
        failure -> clock.after(REMEMBERED, () -> forget(image, pull)));
    return pull;
  }

  private synchronized void forget(String image, Pull pull) {
    pulls.remove(image, pull);
  }

  private Future<Void> start(String image) {
    // Without a tag, Docker would pull all of them.
    int name = image.lastIndexOf('/') + 1;
    boolean isExact = image.indexOf('@') > 0 || image.indexOf(':', name) > 0;
    String whole = isExact ? image : image + ":latest";
    return client
        .open(HttpMethod.POST, "/images/create?fromImage=" + EngineClient.encoded(whole))
        .compose(ImagePulls::read);
  }

  /** Reads the lines of progress: a failure comes as a line of an answer with status 200. */
  private static Future<Void> read(HttpClientResponse response) {
    Promise<Void> result = Promise.promise();
    RecordParser lines = RecordParser.newDelimited("\n", line -> line(line, result));
    lines.maxRecordSize(LONGEST_LINE);
    lines.exceptionHandler(result::tryFail);
    response.exceptionHandler(result::tryFail);
    response.handler(lines);
    response.endHandler(end -> {
      lines.handle(Buffer.buffer("\n"));
      result.tryComplete();
    });
    response.resume();
    return result.future();
  }

  private static void line(Buffer line, Promise<Void> result) {
    String text = line.toString().strip();
    if (text.startsWith("{")) {
      JsonNode progress = Json.parse(text);
      if (progress.hasNonNull("error")) {
        result.tryFail(
            new EngineException(EngineException.REFUSED, progress.path("error").asText()));
      }
    }
  }
}
