package io.orrery.benchmarks.ingest.peer;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;

/**
 * The questions that a peer is asked beside its load.
 *
 * @param port where it listens
 */
record Questions(int port) {
  /**
   * Posts a question.
   *
   * @param path up to the question
   * @param question in the peer's language
   * @return the answer, null when it is empty
   */
  JsonNode ask(String path, String question) throws IOException, InterruptedException {
    String address =
        "http://127.0.0.1:" + port + path + URLEncoder.encode(question, StandardCharsets.UTF_8);
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> answer =
          client.send(
              HttpRequest.newBuilder(URI.create(address)).POST(BodyPublishers.noBody()).build(),
              BodyHandlers.ofString());
      if (answer.statusCode() / 100 != 2) {
        throw new IOException(address + ": " + answer.body());
      }
      return Json.parse(answer.body().isEmpty() ? "null" : answer.body());
    }
  }
}
