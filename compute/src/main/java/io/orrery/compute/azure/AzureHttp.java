package io.orrery.compute.azure;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sends a request, and makes a problem of a refusal: Busy when trying again may help. */
final class AzureHttp {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /** How long an answer may take with its body. */
  private static final Duration LONGEST = Duration.ofSeconds(60);

  private static final Duration LATER = Duration.ofSeconds(2);
  private static final int LONGEST_PAUSE = 60;
  private static final int LONGEST_WORDS = 300;

  /** Azure Files answers in XML. */
  private static final Pattern MESSAGE = Pattern.compile("<Message>([^<]*)");

  /** One for the process: a file goes in many requests, which share connections. */
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(PATIENCE).build();

  private AzureHttp() {}

  static HttpRequest.Builder request(String url) {
    return HttpRequest.newBuilder(URI.create(url)).timeout(PATIENCE);
  }

  /**
   * @param wanted what is to be done, such as {@code read a secret}
   */
  static HttpResponse<String> send(HttpRequest request, String wanted) {
    return send(request, BodyHandlers.ofString(), wanted);
  }

  /** The same with an answer of some other kind, which must be whole in time as well. */
  static <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> handler, String wanted) {
    CompletableFuture<HttpResponse<T>> sent = CLIENT.sendAsync(request, handler);
    try {
      return sent.get(LONGEST.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      sent.cancel(true);
      throw unreachable(request, wanted, "it did not answer in time");
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      if (!(cause instanceof IOException)) {
        throw new IllegalStateException("could not ask Azure to " + wanted, cause);
      }
      throw unreachable(
          request,
          wanted,
          cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage());
    } catch (InterruptedException e) {
      sent.cancel(true);
      Thread.currentThread().interrupt();
      throw new Problem.Busy("interrupted while asking Azure to " + wanted, LATER).toException();
    }
  }

  private static ProblemException unreachable(HttpRequest request, String wanted, String why) {
    return new Problem.Busy(
            "Azure cannot be reached to %s at %s: %s"
                .formatted(wanted, request.uri().getHost(), why),
            LATER)
        .toException();
  }

  /** Whether the same request may be answered differently a little later. */
  static boolean passes(int status) {
    return status == 429 || status >= 500;
  }

  /**
   * What a refusal means.
   *
   * @param pointer where the configuration asks for it
   */
  static ProblemException failure(HttpResponse<String> response, String wanted, String pointer) {
    return failure(response.statusCode(), response.headers(), response.body(), wanted, pointer);
  }

  static ProblemException failure(
      int status, HttpHeaders headers, String body, String wanted, String pointer) {
    String words = words(body);
    String detail =
        "Azure refused to " + wanted + ": HTTP " + status + (words.isEmpty() ? "" : ", " + words);
    Problem problem =
        passes(status)
            ? new Problem.Busy(detail, pause(headers))
            : new Problem.Refused(new Finding(pointer, detail));
    return problem.toException();
  }

  private static Duration pause(HttpHeaders headers) {
    return headers
        .firstValue("Retry-After")
        .filter(text -> text.matches("[0-9]{1,9}"))
        .map(text -> Duration.ofSeconds(Math.clamp(Long.parseLong(text), 1, LONGEST_PAUSE)))
        .orElse(LATER);
  }

  /** The service's own words, out of its JSON or XML. */
  private static String words(String body) {
    Matcher xml = MESSAGE.matcher(body);
    String words = "";
    if (xml.find()) {
      words = xml.group(1);
    } else {
      try {
        JsonNode json = Json.parse(body);
        words =
            json.path("error").isObject()
                ? json.at("/error/message").asText()
                : json.path("error_description").asText();
      } catch (ProblemException noJson) {
        // A proxy's page says nothing that helps.
      }
    }
    String line = words.lines().findFirst().orElse("").strip();
    return line.length() <= LONGEST_WORDS ? line : line.substring(0, LONGEST_WORDS) + "…";
  }
}
