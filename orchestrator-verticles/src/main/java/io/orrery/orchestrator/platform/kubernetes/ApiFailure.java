package io.orrery.orchestrator.platform.kubernetes;

import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import java.time.Duration;
import java.util.Objects;

/**
 * What an API server's refusal means for an attempt: whether trying again helps, and when. The
 * words are the server's own, behind what was wanted.
 */
final class ApiFailure {
  private static final Duration SOON = Duration.ofSeconds(2);
  private static final Duration LATER = Duration.ofSeconds(15);
  private static final int UNPROCESSABLE = 422;
  private static final int THROTTLED = 429;

  private ApiFailure() {}

  /**
   * @param wanted what could not be done, such as {@code create the Job x}
   */
  static Problem of(String wanted, KubernetesClientException failure) {
    String words = words(failure);
    String detail = "the cluster refused to " + wanted + ": " + words;
    int code = failure.getCode();
    return switch (code) {
      case 0 ->
          new Problem.Busy("the API server cannot be reached to " + wanted + ": " + words, LATER);
      case 401 -> new Problem.Unauthorized("the cluster does not know us: " + words);
      case 403 ->
          words.contains("exceeded quota")
              ? new Problem.Busy(detail, LATER)
              : new Problem.Forbidden(detail);
      case 404 -> new Problem.NotFound(detail);
      case 409 -> new Problem.Busy(detail, SOON);
      case THROTTLED -> new Problem.Busy("the API server is throttling: " + words, pause(failure));
      case 400, UNPROCESSABLE ->
          new Problem.Refused(new Finding("/trainingService", detail));
      default ->
          code >= 500
              ? new Problem.Busy("the API server failed to " + wanted + ": " + words, LATER)
              : new Problem.Refused(new Finding("/trainingService", detail));
    };
  }

  private static Duration pause(KubernetesClientException failure) {
    Status status = failure.getStatus();
    Integer seconds =
        status == null || status.getDetails() == null
            ? null
            : status.getDetails().getRetryAfterSeconds();
    return seconds == null || seconds <= 0 ? SOON : Duration.ofSeconds(Math.min(seconds, 300));
  }

  private static String words(KubernetesClientException failure) {
    Status status = failure.getStatus();
    if (status != null && status.getMessage() != null && !status.getMessage().isBlank()) {
      return status.getMessage();
    }
    Throwable cause = failure.getCause();
    return cause == null
        ? Objects.requireNonNullElse(failure.getMessage(), "no reason given")
        : Objects.requireNonNullElse(cause.getMessage(), cause.toString());
  }
}
