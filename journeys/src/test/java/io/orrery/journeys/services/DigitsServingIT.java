package io.orrery.journeys.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import io.orrery.core.digest.Sha256;
import io.orrery.core.json.Json;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/** Serves the network of the first example: from a search, from an address, from a version. */
class DigitsServingIT extends ServiceJourney {
  private static final Path DIGITS = EXAMPLES.resolveSibling("digits");
  private static final String NAME = "serving-digits-production";

  @Override
  protected void configure() throws Exception {
    Files.writeString(
        Files.createDirectories(home()).resolve("orrery.yml"), "models: {networks: [127.0.0.1]}\n");
  }

  /** The images of the example, each with its digit at the end. */
  private static List<List<Integer>> images() throws Exception {
    List<List<Integer>> images = new ArrayList<>();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(DIGITS.resolve("digits.csv.gz"))),
                StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        images.add(List.of(line.split(",")).stream().map(Integer::valueOf).toList());
      }
    }
    return images;
  }

  private JsonNode predict(String name, String body, int status) throws Exception {
    Answer answer = post(name, "/v1/models/digits:predict", body);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    return Json.parse(answer.body());
  }

  /** The share of images that a service reads right. */
  private double share(String name) throws Exception {
    List<List<Integer>> images = images();
    List<List<Integer>> pixels = images.stream().map(image -> image.subList(0, 64)).toList();
    JsonNode digits = predict(name, "{\"images\": " + pixels + "}", 200).get("digits");
    int right = 0;
    for (int i = 0; i < images.size(); i++) {
      right += digits.get(i).intValue() == images.get(i).getLast() ? 1 : 0;
    }
    return (double) right / images.size();
  }

  /** The search of the example with three trials. */
  private Path search() throws Exception {
    Path folder = Files.createDirectories(temp.resolve("digits"));
    for (String file : List.of("train.py", "network.py", "digits.csv.gz", "search_space.json")) {
      Files.copy(DIGITS.resolve(file), folder.resolve(file));
    }
    return Files.writeString(
        folder.resolve("experiment.yml"),
        Files.readString(DIGITS.resolve("experiment.yml"))
            .replace("maxTrialNumber: 20", "maxTrialNumber: 3"));
  }

  @Test
  void aSearchEndsAsAServiceThatReadsDigits() throws Exception {
    Ended served =
        orrery(
            "experiment",
            "run",
            search().toString(),
            "--serve",
            EXAMPLES.resolve("digits.yml").toString());

    assertThat(served.code()).as(served.err()).isZero();
    assertThat(served.out()).contains("serving: http://" + NAME);
    assertThat(share(NAME)).isGreaterThan(0.5);
    assertThat(predict(NAME, "{\"images\": [[1]]}", 400).get("error").textValue())
        .contains("64 pixels");

    HttpResponse<String> again =
        server.send(
            "POST",
            "/models/digits/versions/1/deploy",
            BodyPublishers.ofString(
                "{\"service\": {\"command\": \"exec python3 serve.py\", \"ports\": [8080],"
                    + " \"code\": \""
                    + EXAMPLES.resolve("digits")
                    + "\"}}"));
    assertThat(again.statusCode()).as(again.body()).isEqualTo(201);
    ready("serving-digits-1");
    assertThat(share("serving-digits-1")).isGreaterThan(0.5);
    HttpResponse<String> present =
        server.send("POST", "/models/digits/versions/1/deploy", BodyPublishers.noBody());
    assertThat(present.statusCode()).isEqualTo(200);
  }

  @Test
  void aVersionWithoutAServiceSaysWhatIsMissing() throws Exception {
    server.post("/models/digits/versions", "{\"path\": \"/srv/digits\"}");
    HttpResponse<String> missing =
        server.send("POST", "/models/digits/versions/1/deploy", BodyPublishers.noBody());
    assertThat(missing.statusCode()).isEqualTo(404);
    assertThat(missing.body()).contains("serving-digits-1").contains("command");
    HttpResponse<String> wrong =
        server.send(
            "POST",
            "/models/digits/versions/1/deploy",
            BodyPublishers.ofString("{\"service\": {\"comand\": \"x\"}}"));
    assertThat(wrong.statusCode()).isEqualTo(400);
    assertThat(wrong.body()).contains("/service/comand");
  }

  @Test
  void aModelFromAnAddressIsDownloadedOnceAndAFailureIsMadeUpFor() throws Exception {
    byte[] network =
        ("{\"activation\": \"tanh\", \"first\": [], \"second\": " + "[[0.0], [1.0], [0.5]]}")
            .getBytes(StandardCharsets.UTF_8);
    AtomicInteger asked = new AtomicInteger();
    HttpServer files =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    files.createContext(
        "/network.json",
        exchange -> {
          try (exchange) {
            asked.incrementAndGet();
            exchange.sendResponseHeaders(200, network.length);
            exchange.getResponseBody().write(network);
          }
        });
    files.start();
    try {
      String document =
          """
          {"name": "serving-digits-1", "type": "serving", "ports": [8080], "replicas": 2, "command": "exec python3 serve.py", "code": "%s",
           "model": {"name": "digits", "version": "v1", "path": "http://127.0.0.1:%d/network.json", "digest": "sha256:%s"}}
          """;
      Path code = EXAMPLES.resolve("digits");
      int port = files.getAddress().getPort();
      put(document.formatted(code, port, "ab".repeat(32)));
      await()
          .atMost(PATIENCE)
          .until(() ->
              state("serving-digits-1").get("status").textValue().equals("FAILED")
                  && state("serving-digits-1")
                      .get("reason")
                      .textValue()
                      .contains("not sha256:abab"));

      int before = asked.get();
      put(document.formatted(code, port, Sha256.hex(network)));
      ready("serving-digits-1", 2);
      assertThat(predict("serving-digits-1", "{\"images\": [%s]}".formatted(ones()), 200))
          .isEqualTo(Json.parse("{\"digits\": [1], \"version\": \"v1\"}"));
      assertThat(asked.get()).isEqualTo(before + 1);
      server.post(path("serving-digits-1") + "/restart", "{}");
      ready("serving-digits-1", 2);
      assertThat(asked.get()).isEqualTo(before + 1);
    } finally {
      files.stop(0);
    }
  }

  private static String ones() {
    return "[" + "1,".repeat(63) + "1]";
  }
}
