package io.orrery.compute.batch;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.compute.batch.Rest.Answer;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An answer of a service that is not a success, as a {@link Problem}, and whether the same request
 * may succeed later. Rights, accounts and workspaces change while an experiment runs, so a refusal
 * for want of one is {@link Problem.Busy}; a job that the service finds invalid is {@link
 * Problem.Refused}. A refusal is never a {@link Problem.Unauthorized} or {@link Problem.Forbidden}:
 * those speak of users of this server.
 */
public final class Refusal {
  private static final Duration LATER = Duration.ofSeconds(5);

  /** The shortest pause after a refusal that passes only when a user changes something. */
  private static final Duration PASSING = Duration.ofSeconds(15);

  private static final int LONGEST_PAUSE = 300;
  private static final int LONGEST_WORDS = 300;

  /** The JSON pointers at which services put a message for people. */
  private static final List<String> SENTENCES =
      List.of(
          "/error/message", "/message", "/Message", "/error_description", "/error", "/errorMsg");

  /** The subject of a refusal. */
  enum Subject {
    /** The account: the service does not know it, or it lacks a right. */
    ACCOUNT,
    /** A job, or the workspace, team or cluster that it belongs to, which is not there. */
    MISSING,
    /** The request: its content, its time, or the state of the service. */
    REQUEST
  }

  private final String service;
  private final String pointer;
  private final Set<String> secrets;

  /**
   * @param service as people know it, with its address
   * @param pointer where the configuration names it
   * @param secrets texts that are never repeated, even when the service does
   */
  public Refusal(String service, String pointer, Collection<String> secrets) {
    this.service = service;
    this.pointer = pointer;
    this.secrets = Set.copyOf(secrets);
  }

  /**
   * Gives the problem for an answer: Busy for 401, 403, 404, 408, 425, 429 and 5xx, Conflict for
   * 409, and else Refused.
   *
   * @param wanted the action that was refused, such as {@code submit a job}
   */
  public ProblemException of(Answer answer, String wanted) {
    return switch (answer.status()) {
      case 401, 403 -> ofAccount(answer, wanted);
      case 404 -> passing(answer, wanted, Subject.MISSING);
      case 409 -> because(new Problem.Conflict(detail(answer, wanted)), Subject.REQUEST);
      case 408, 425, 429 -> busy(answer, wanted);
      default ->
          answer.status() >= 500
              ? busy(answer, wanted)
              : because(
                  new Problem.Refused(new Finding(pointer, detail(answer, wanted))),
                  Subject.REQUEST);
    };
  }

  /**
   * Gives the problem for an answer that refuses the account itself, whatever its status: Busy, for
   * its rights may be given back.
   *
   * @param wanted the action that was refused, such as {@code log in}
   */
  public ProblemException ofAccount(Answer answer, String wanted) {
    return passing(answer, wanted, Subject.ACCOUNT);
  }

  /**
   * Gives the problem for the answer to a login: one of the account, unless the service is busy.
   *
   * @param wanted the action that was refused
   */
  public ProblemException ofLogin(Answer answer, String wanted) {
    ProblemException refused = of(answer, wanted);
    return refused.problem() instanceof Problem.Busy ? refused : ofAccount(answer, wanted);
  }

  private ProblemException passing(Answer answer, String wanted, Subject subject) {
    Duration asked = pause(answer);
    Duration pause = asked.compareTo(PASSING) > 0 ? asked : PASSING;
    return because(new Problem.Busy(detail(answer, wanted), pause), subject);
  }

  private ProblemException busy(Answer answer, String wanted) {
    return because(new Problem.Busy(detail(answer, wanted), pause(answer)), Subject.REQUEST);
  }

  private static ProblemException because(Problem problem, Subject subject) {
    return new ProblemException(problem, new RefusedAnswerException(problem.detail(), subject));
  }

  private String detail(Answer answer, String wanted) {
    String words = words(answer);
    return service
        + " refused to "
        + wanted
        + ": HTTP "
        + answer.status()
        + (words.isEmpty() ? "" : ", " + words);
  }

  /** Whether a failure is the service's refusal of the account that asked. */
  public static boolean isOfAccount(ProblemException e) {
    return subject(e) == Subject.ACCOUNT;
  }

  /** Whether a failure is the service's answer that something is not there. */
  public static boolean isMissing(ProblemException e) {
    return subject(e) == Subject.MISSING;
  }

  /** Whether the service has read the request and done nothing, until a right is given. */
  static boolean isOfRightsOrPlace(ProblemException e) {
    return isOfAccount(e) || isMissing(e);
  }

  /** Whether the service has answered at all. */
  static boolean isAnswered(ProblemException e) {
    return e.getCause() instanceof RefusedAnswerException;
  }

  private static @Nullable Subject subject(ProblemException e) {
    return e.getCause() instanceof RefusedAnswerException refused ? refused.subject() : null;
  }

  /** Gives the problem for a success whose content is not what the service documents. */
  public ProblemException strange(String wanted, String what) {
    return new Problem.Busy(
            service + " answered oddly when it was asked to " + wanted + ": " + what, LATER)
        .toException();
  }

  private static Duration pause(Answer answer) {
    String text = answer.headers().getOrDefault("retry-after", "");
    return text.matches("[0-9]{1,9}")
        ? Duration.ofSeconds(Math.clamp(Long.parseLong(text), 1, LONGEST_PAUSE))
        : LATER;
  }

  /** Returns the service's own message, without secrets; empty for none. */
  private String words(Answer answer) {
    String words = "";
    try {
      JsonNode json = answer.json();
      words =
          SENTENCES.stream()
              .map(json::at)
              .filter(JsonNode::isTextual)
              .map(JsonNode::textValue)
              .findFirst()
              .orElse("");
    } catch (ProblemException noJson) {
      boolean page = answer.body().stripLeading().startsWith("<");
      words = page ? "" : answer.body();
    }
    String line = words.lines().findFirst().orElse("").strip();
    for (String secret : secrets) {
      line = line.replace(secret, "…");
    }
    return line.length() <= LONGEST_WORDS ? line : line.substring(0, LONGEST_WORDS) + "…";
  }
}
