package io.orrery.core.problem;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.time.Duration;
import java.util.List;

/**
 * A failure as data. There are three sorts, and the sort decides who acts: the caller's ({@link
 * Refused}, {@link NotFound}, {@link Conflict}, {@link Unauthorized}, {@link Forbidden}, {@link
 * TooLarge}), a lack that passes ({@link Passing}: {@link Busy}, {@link Unavailable}), and ours
 * ({@link Broken}).
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
  @JsonSubTypes.Type(value = Problem.Refused.class, name = "refused"),
  @JsonSubTypes.Type(value = Problem.NotFound.class, name = "not-found"),
  @JsonSubTypes.Type(value = Problem.Conflict.class, name = "conflict"),
  @JsonSubTypes.Type(value = Problem.Unauthorized.class, name = "unauthorized"),
  @JsonSubTypes.Type(value = Problem.Forbidden.class, name = "forbidden"),
  @JsonSubTypes.Type(value = Problem.TooLarge.class, name = "too-large"),
  @JsonSubTypes.Type(value = Problem.Busy.class, name = "busy"),
  @JsonSubTypes.Type(value = Problem.Unavailable.class, name = "unavailable"),
  @JsonSubTypes.Type(value = Problem.Broken.class, name = "broken"),
})
public sealed interface Problem {
  /** One or two sentences for the person who asked: what, where, and what would be right. */
  String detail();

  /** The input is wrong; nothing changed. Every finding of the document is in it. */
  record Refused(String detail, List<Finding> findings) implements Problem {
    public Refused {
      findings = List.copyOf(findings);
    }

    public Refused(Finding finding) {
      this(finding.text(), List.of(finding));
    }

    /** All findings of one document, summed up in one sentence. */
    public static Refused of(List<Finding> findings) {
      return findings.size() == 1
          ? new Refused(findings.getFirst())
          : new Refused(findings.size() + " things are wrong in the document.", findings);
    }
  }

  /** A failure because the named object does not exist. */
  record NotFound(String detail) implements Problem {}

  /** A failure because the present state of the object does not allow the request. */
  record Conflict(String detail) implements Problem {}

  /** A failure for missing or unknown credentials. */
  record Unauthorized(String detail) implements Problem {}

  /** A failure because the caller is known and has no permission. */
  record Forbidden(String detail) implements Problem {}

  /** The input is longer than the limit that the detail names. */
  record TooLarge(String detail) implements Problem {}

  /** A failure that may pass: the same request may succeed later. */
  sealed interface Passing extends Problem {
    /** After which it is worth asking again. */
    Duration retryAfter();
  }

  /** A bounded queue is full; the same request may succeed after {@code retryAfter}. */
  record Busy(String detail, Duration retryAfter) implements Passing {}

  /**
   * A failure because no process with the needed role is reachable; the same request may succeed
   * after {@code retryAfter}.
   */
  record Unavailable(String detail, Duration retryAfter) implements Passing {}

  /** A fault of ours or of something that we depend on. */
  record Broken(String detail) implements Problem {}

  /** This problem as an exception, for the failure side of a Future. */
  default ProblemException toException() {
    return new ProblemException(this);
  }

  /** The problem that a failure carries; anything that is not a problem yet is {@link Broken}. */
  static Problem of(Throwable failure) {
    if (failure instanceof ProblemException known) {
      return known.problem();
    }
    String message = failure.getMessage();
    return new Broken(failure.getClass().getSimpleName() + (message == null ? "" : ": " + message));
  }
}
