package io.orrery.router.route;

import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * The rules by which a request is sent again.
 *
 * @param attempts how often again, after the first time
 * @param time how long it then waits for an endpoint that takes it, when it was sent to none of
 *     those; zero for not at all
 */
public record Retries(int attempts, Set<Cause> on, Duration time) {
  public static final Retries DEFAULT =
      new Retries(2, Set.of(Cause.CONNECT_FAILURE, Cause.RESET), Duration.ZERO);

  /** A cause for which an attempt counts as failed. */
  public enum Cause {
    /**
     * Nothing was sent, or the endpoint has said that it has done nothing of it: any request may be
     * sent again.
     */
    CONNECT_FAILURE("connect-failure"),
    /** The connection broke before the answer began: only for idempotent requests. */
    RESET("reset"),
    /** The endpoint said that it is not able now: only for idempotent requests. */
    UNAVAILABLE("503");

    static final List<String> WORDS = List.of("connect-failure", "reset", "503");

    private final String word;

    Cause(String word) {
      this.word = word;
    }

    public String word() {
      return word;
    }
  }

  public Retries {
    on = Set.copyOf(on);
  }

  /** Whether requests that no endpoint takes wait for one that does. */
  public boolean waits() {
    return time.isPositive() && on.contains(Cause.CONNECT_FAILURE);
  }
}
