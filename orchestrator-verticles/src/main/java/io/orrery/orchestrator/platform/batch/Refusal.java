package io.orrery.orchestrator.platform.batch;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.orchestrator.platform.batch.Rest.Answer;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** What an answer means that is not the one that was hoped for. */
public final class Refusal {
  private static final Duration LATER = Duration.ofSeconds(5);
  private static final int LONGEST_PAUSE = 300;
  private static final int LONGEST_WORDS = 300;

  /** Where services put a sentence for people. */
  private static final List<String> SENTENCES =
      List.of(
          "/error/message", "/message", "/Message", "/error_description", "/error", "/errorMsg");

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
   * The problem that an answer is.
   *
   * @param wanted what was to be done, such as {@code submit a job}
   */
  public ProblemException of(Answer answer, String wanted) {
    String words = words(answer);
    String detail =
        service
            + " refused to "
            + wanted
            + ": HTTP "
            + answer.status()
            + (words.isEmpty() ? "" : ", " + words);
    Problem problem =
        switch (answer.status()) {
          case 401 -> new Problem.Unauthorized(detail);
          case 403 -> new Problem.Forbidden(detail);
          case 404 -> new Problem.NotFound(detail);
          case 409 -> new Problem.Conflict(detail);
          case 408, 425, 429 -> new Problem.Busy(detail, pause(answer));
          default ->
              answer.status() >= 500
                  ? new Problem.Busy(detail, pause(answer))
                  : new Problem.Refused(new Finding(pointer, detail));
        };
    return problem.toException();
  }

  /** An answer that says that all is well, and is not what the service promises. */
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

  /** The service's own words. */
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
