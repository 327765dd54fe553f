package io.orrery.router.policy;

import io.orrery.router.telemetry.Differences;
import io.orrery.router.telemetry.ShadowMeters;
import org.jspecify.annotations.Nullable;

/**
 * A comparison of the answer to a client with the answer of a shadow to a copy of its request.
 * Counted once, as soon as both are known, whichever comes first. Lives on one loop.
 */
public final class Comparison {
  private record Answer(int status, @Nullable BodyDigest body, long nanos) {}

  private final Loop loop;
  private final ShadowMeters.Shadow meter;
  private final String request;
  private @Nullable Answer primary;
  private @Nullable Answer shadow;

  /**
   * @param request its method and path
   */
  public Comparison(Loop loop, ShadowMeters.Shadow meter, String request) {
    this.loop = loop;
    this.meter = meter;
    this.request = request;
  }

  /**
   * The client has its answer.
   *
   * @param body null when bodies are not compared, or the router answered itself
   * @param took nanoseconds
   */
  public void primary(int status, @Nullable BodyDigest body, long took) {
    primary = new Answer(status, body, took);
    compare();
  }

  /**
   * The shadow has answered.
   *
   * @param body null when bodies are not compared
   * @param took nanoseconds
   */
  public void shadow(int status, @Nullable BodyDigest body, long took) {
    shadow = new Answer(status, body, took);
    compare();
  }

  private void compare() {
    Answer told = primary;
    Answer said = shadow;
    if (told == null || said == null) {
      return;
    }
    primary = null;
    shadow = null;
    boolean both = told.body != null && said.body != null;
    boolean sameBody = told.body == null || said.body == null || told.body.sameAs(said.body);
    meter.compared(
        told.status == said.status,
        sameBody,
        loop.clock().millis(),
        request,
        seen(told, both),
        seen(said, both));
  }

  private static Differences.Answer seen(Answer answer, boolean compared) {
    BodyDigest body = answer.body;
    return body == null || !compared
        ? new Differences.Answer(answer.status, answer.nanos, -1, null)
        : new Differences.Answer(answer.status, answer.nanos, body.length(), body.beginning());
  }
}
