package io.orrery.orchestrator.platform.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What an API server's refusal means for whoever asked: whether trying again helps, and when. The
 * words are the server's own, behind what was wanted.
 *
 * @param reason of the server's {@code Status}, such as {@code AlreadyExists}; empty for none
 */
record ApiFailure(int code, String reason, String words, @Nullable String retryAfter) {
  private static final Duration SOON = Duration.ofSeconds(2);
  static final Duration LATER = Duration.ofSeconds(15);
  private static final int LONGEST_PAUSE = 300;

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

  /**
   * @param wanted what could not be done, such as {@code create the Job x}
   */
  Problem problem(String wanted) {
    String detail = "the cluster refused to " + wanted + ": " + words;
    return switch (code) {
      case 401 -> new Problem.Unauthorized("the cluster does not know who asks: " + words);
      case 403 ->
          words.contains("exceeded quota")
              ? new Problem.Busy(detail, LATER)
              : new Problem.Forbidden(detail);
      case 404 -> new Problem.NotFound(detail);
      case 409, 410 -> new Problem.Busy(detail, SOON);
      case 429 -> new Problem.Busy("the API server is throttling: " + words, pause(SOON));
      default ->
          code >= 500
              ? new Problem.Busy("the API server failed to " + wanted + ": " + words, pause(LATER))
              : new Problem.Refused(new Finding("/trainingService", detail));
    };
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
