package io.orrery.compute.runtime.container;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.compute.runtime.replica.Prerequisites;
import io.orrery.compute.service.ImageLogin;
import io.orrery.compute.service.ImageLogins;
import io.orrery.core.access.ProjectName;
import io.orrery.core.json.Json;
import io.orrery.core.time.Clock;
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
import java.util.function.Consumer;
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
  private final ImageLogins logins;
  private final PulledImages pulled;
  private final Map<Wanted, Pull> pulls = new HashMap<>();

  ImagePulls(EngineClient client, Clock clock, ImageLogins logins, PulledImages pulled) {
    this.client = client;
    this.clock = clock;
    this.logins = logins;
    this.pulled = pulled;
  }

  /**
   * An image that is wanted.
   *
   * @param project with whose accounts it is pulled; null for none
   */
  private record Wanted(String image, @Nullable ProjectName project) {}

  /** A pull that is under way. */
  private record Pull(Future<Void> result, Instant since) {}

  /**
   * Looks how far an image is that is not there, and begins to pull it.
   *
   * @param project with whose accounts it is pulled; null for none
   * @param nudge called from any thread when the pull is over
   */
  Prerequisites ask(String image, @Nullable ProjectName project, Runnable nudge) {
    Pull pull = pull(new Wanted(image, project));
    if (pull == null) {
      return new Prerequisites.Later(
          "image %s waits: other images are being pulled".formatted(image));
    }
    if (pull.result.failed()) {
      return new Prerequisites.Missing(sentence(image, pull.result.cause()));
    }
    pull.result.onComplete(done -> nudge.run());
    return new Prerequisites.Later(
        "image %s is being pulled, for %d s so far"
            .formatted(image, Duration.between(pull.since, clock.now()).toSeconds()));
  }

  /** Pulls an image, or joins the pull; null when too many others are being pulled. */
  synchronized @Nullable Future<Void> begin(String image, @Nullable ProjectName project) {
    forgetFailure(image, project);
    Pull pull = pull(new Wanted(image, project));
    return pull == null ? null : pull.result;
  }

  /** Has the registry asked again although it has refused just now. */
  synchronized void forgetFailure(String image, @Nullable ProjectName project) {
    Wanted wanted = new Wanted(image, project);
    Pull known = pulls.get(wanted);
    if (known != null && known.result.failed()) {
      pulls.remove(wanted);
    }
  }

  /** The reason why an image cannot be had. */
  static String sentence(String image, Throwable failure) {
    return "image %s is not there and cannot be pulled: %s".formatted(image, failure.getMessage());
  }

  /** Whether a project may start an image that the engine has; else it is to be pulled again. */
  boolean isOpenTo(@Nullable ProjectName project, String image) {
    return pulled.isOpenTo(project, image);
  }

  private synchronized @Nullable Pull pull(Wanted wanted) {
    Pull known = pulls.get(wanted);
    if (known != null) {
      return known;
    }
    if (pulls.values().stream().filter(pull -> !pull.result.isComplete()).count() >= MOST) {
      return null;
    }
    Pull pull = new Pull(start(wanted), clock.now());
    pulls.put(wanted, pull);
    pull.result.onComplete(
        there -> forget(wanted, pull),
        failure -> clock.after(REMEMBERED, () -> forget(wanted, pull)));
    return pull;
  }

  private synchronized void forget(Wanted wanted, Pull pull) {
    pulls.remove(wanted, pull);
  }

  private Future<Void> start(Wanted wanted) {
    ProjectName project = wanted.project;
    if (project == null) {
      return pull(wanted.image, null);
    }
    return logins
        .find(project, wanted.image)
        .compose(login ->
            pull(wanted.image, login.map(ImageLogin::header).orElse(null))
                .compose(there ->
                    login.isEmpty()
                        ? Future.succeededFuture()
                        : client.blocking(() -> {
                          pulled.note(project, wanted.image);
                          return null;
                        })));
  }

  private Future<Void> pull(String image, @Nullable String login) {
    // Without a tag, Docker would pull all of them.
    int name = image.lastIndexOf('/') + 1;
    boolean isExact = image.indexOf('@') > 0 || image.indexOf(':', name) > 0;
    String whole = isExact ? image : image + ":latest";
    return client
        .open(HttpMethod.POST, "/images/create?fromImage=" + EngineClient.encoded(whole), login)
        .compose(response -> read(response, progress -> {}));
  }

  /**
   * Reads the lines of progress: a failure comes as a line of an answer with status 200.
   *
   * @param progress told of each line
   */
  static Future<Void> read(HttpClientResponse response, Consumer<JsonNode> progress) {
    Promise<Void> result = Promise.promise();
    RecordParser lines = RecordParser.newDelimited("\n", line -> line(line, result, progress));
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

  private static void line(Buffer line, Promise<Void> result, Consumer<JsonNode> told) {
    String text = line.toString().strip();
    if (text.startsWith("{")) {
      JsonNode progress = Json.parse(text);
      told.accept(progress);
      if (progress.hasNonNull("error")) {
        result.tryFail(
            new EngineException(EngineException.REFUSED, progress.path("error").asText()));
      }
    }
  }
}
