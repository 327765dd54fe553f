package io.orrery.router.policy;

import io.orrery.router.telemetry.ShadowMeters;
import org.jspecify.annotations.Nullable;

/**
 * What a client was told, beside what a shadow said to a copy of its request. Counted once, as soon
 * as both are known, whichever comes first. Lives on one loop.
 */
public final class Comparison {
  private record Answer(int status, @Nullable BodyDigest body) {}

  private final ShadowMeters.Shadow meter;
  private long nanos;
  private @Nullable Answer primary;
  private @Nullable Answer shadow;

  public Comparison(ShadowMeters.Shadow meter) {
    this.meter = meter;
  }

  /**
   * The client has its answer.
   *
   * @param body null when bodies are not compared, or the router answered itself
   */
  public void primary(int status, @Nullable BodyDigest body) {
    primary = new Answer(status, body);
    compare();
  }

  /**
   * The shadow has answered.
   *
   * @param body null when bodies are not compared
   * @param took nanoseconds
   */
  public void shadow(int status, @Nullable BodyDigest body, long took) {
    shadow = new Answer(status, body);
    nanos = took;
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
    boolean sameBody = told.body == null || said.body == null || told.body.sameAs(said.body);
    meter.compared(told.status == said.status, sameBody, nanos);
  }
}
