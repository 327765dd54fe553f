package io.orrery.router.route;

import java.util.List;
import java.util.Set;

/**
 * When a request is sent again.
 *
 * @param attempts how often again, after the first time
 */
public record Retries(int attempts, Set<Cause> on) {
  public static final Retries DEFAULT = new Retries(2, Set.of(Cause.CONNECT_FAILURE, Cause.RESET));

  /** What makes an attempt a failed one. */
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
}
