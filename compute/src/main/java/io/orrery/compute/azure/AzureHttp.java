package io.orrery.compute.azure;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sends a request, and makes a problem of a refusal: Busy when trying again may help. */
final class AzureHttp {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Duration LATER = Duration.ofSeconds(2);
  private static final int LONGEST_PAUSE = 60;
  private static final int LONGEST_WORDS = 300;

  /** Azure Files answers in XML. */
  private static final Pattern MESSAGE = Pattern.compile("<Message>([^<]*)");

  private AzureHttp() {}

  static HttpRequest.Builder request(String url) {
    return HttpRequest.newBuilder(URI.create(url)).timeout(PATIENCE);
  }

  /**
   * @param wanted what is to be done, such as {@code read a secret}
   */
  static HttpResponse<String> send(HttpRequest request, String wanted) {
    try (HttpClient client = HttpClient.newBuilder().connectTimeout(PATIENCE).build()) {
      return client.send(request, BodyHandlers.ofString());
    } catch (IOException e) {
      throw new Problem.Busy(
              "Azure cannot be reached to "
                  + wanted
                  + " at "
                  + request.uri().getHost()
                  + ": "
                  + (e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage()),
              LATER)
          .toException();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Problem.Busy("interrupted while asking Azure to " + wanted, LATER).toException();
    }
  }

  /**
   * What a refusal means.
   *
   * @param pointer where the configuration asks for it
   */
  static ProblemException failure(HttpResponse<String> response, String wanted, String pointer) {
    String words = words(response.body());
    String detail =
        "Azure refused to "
            + wanted
            + ": HTTP "
            + response.statusCode()
            + (words.isEmpty() ? "" : ", " + words);
    boolean passes = response.statusCode() == 429 || response.statusCode() >= 500;
    Problem problem =
        passes
            ? new Problem.Busy(detail, pause(response))
            : new Problem.Refused(new Finding(pointer, detail));
    return problem.toException();
  }

  private static Duration pause(HttpResponse<String> response) {
    return response
        .headers()
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
