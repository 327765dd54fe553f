package io.orrery.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An API server's refusal, and whether the same request may succeed later. Rights, quotas and
 * namespaces change while an experiment runs, so a refusal for want of one passes; an object that
 * the server finds invalid, or that admission denies, is refused for good. A refusal is never an
 * {@link Problem.Unauthorized} or {@link Problem.Forbidden} of ours: those speak of our own users.
 *
 * @param reason of the server's {@code Status}, such as {@code AlreadyExists}; empty for none
 */
public record ApiFailure(int code, String reason, String words, @Nullable String retryAfter) {
  static final Duration LATER = Duration.ofSeconds(15);
  private static final Duration SOON = Duration.ofSeconds(2);
  private static final int LONGEST_PAUSE = 300;
  private static final int UNAUTHORIZED = 401;
  private static final int FORBIDDEN = 403;
  private static final int NOT_FOUND = 404;

  /**
   * The words of admission that will say the same next time: webhooks and admission policies,
   * PodSecurity, a LimitRange, a quota that counts what the pod does not name. Where a LimitRange
   * sets a limit its words begin with {@code maximum}, {@code minimum} or {@code ... ratio}.
   */
  private static final Pattern DENIED =
      Pattern.compile(
          "denied (the )?request|violates PodSecurity|failed quota:"
              + "|(maximum|minimum) [a-z0-9./-]+ (usage|storage)|limit to request ratio|is invalid:");

  /** The name of one of our objects, with quotation marks where a server names it. */
  private static final Pattern OWN_NAME = Pattern.compile(" (the )?\"?nni-?exp[a-z0-9.-]*\"?");

  /** Reads the body of an answer that is not a success: a {@code Status}, or plain text. */
  static ApiFailure of(int code, String body, @Nullable String retryAfter) {
    try {
      JsonNode status = Json.parse(body);
      return new ApiFailure(
          code,
          status.path("reason").asText(),
          status.path("message").asText("no reason given"),
          retryAfter);
    } catch (ProblemException noJson) {
      String text = body.strip();
      return new ApiFailure(code, "", text.isEmpty() ? "HTTP " + code : text, retryAfter);
    }
  }

  /** The refusal behind a failed call; null when the server did not answer, or not with one. */
  public static @Nullable ApiFailure behind(ProblemException e) {
    return e.getCause() instanceof RefusedException refused ? refused.failure() : null;
  }

  /** Whether words of a server, in an answer or an event, deny for good what was asked for. */
  public static boolean isDenial(String words) {
    return DENIED.matcher(words).find();
  }

  /** The problem as an exception that {@link #behind} reads. */
  ProblemException exception(String wanted) {
    return new ProblemException(problem(wanted), new RefusedException(this));
  }

  /**
   * @param wanted what could not be done, such as {@code create the Job x}
   */
  Problem problem(String wanted) {
    String detail = "the cluster refused to " + wanted + ": " + words;
    return switch (code) {
      case UNAUTHORIZED -> busy("the cluster does not know who asks: " + words, LATER);
      case FORBIDDEN -> isDenial(words) ? refused(detail) : busy(detail, LATER);
      // What may be missing is looked for elsewhere: here it is the namespace, or the kind.
      case NOT_FOUND -> busy(detail, LATER);
      case 409, 410 -> busy(detail, SOON);
      case 429 -> busy("the API server is throttling: " + words, pause(SOON));
      default -> code >= 500 && !isUnknownField() ? failed(wanted) : refused(detail);
    };
  }

  private Problem failed(String wanted) {
    return busy("the API server failed to " + wanted + ": " + words, pause(LATER));
  }

  private static Problem busy(String detail, Duration retryAfter) {
    return new Problem.Busy(unnamed(detail), retryAfter);
  }

  /** All trials of an experiment have the same section, so it is refused to all of them. */
  private static Problem refused(String detail) {
    return new Problem.Refused(detail, List.of(new Finding("/trainingService", detail)));
  }

  /**
   * Without the name of the job that was tried: others wait for the same, and are told the same.
   */
  static String unnamed(String detail) {
    return OWN_NAME.matcher(detail).replaceAll("");
  }

  /** Server-side apply answers 500 to a field that it does not know, whenever it is asked. */
  private boolean isUnknownField() {
    return words.contains("field not declared in schema");
  }

  /** Whether nothing was made or changed: the server has read the request, and said no. */
  public boolean isRefusal() {
    return code >= 400 && code < 500 && code != 409 && code != 410 && code != 429;
  }

  /**
   * Whether it speaks of who asks or of a namespace that is going or gone, not of what is asked.
   */
  public boolean isOfRightsOrNamespace() {
    return code == UNAUTHORIZED || code == FORBIDDEN || code == NOT_FOUND;
  }

  /** Whether the server does not know who asks. */
  public boolean isOfLogin() {
    return code == UNAUTHORIZED;
  }

  /** As long as the server says, or else as long as given. */
  private Duration pause(Duration otherwise) {
    return asked().isZero() ? otherwise : asked();
  }

  /** How long the server asks to be left alone; zero when it does not. */
  Duration asked() {
    boolean seconds = retryAfter != null && retryAfter.matches("[0-9]{1,9}");
    return seconds
        ? Duration.ofSeconds(Math.clamp(Long.parseLong(retryAfter), 1, LONGEST_PAUSE))
        : Duration.ZERO;
  }
}
