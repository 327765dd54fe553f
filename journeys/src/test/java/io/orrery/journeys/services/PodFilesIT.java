package io.orrery.journeys.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs services on a cluster whose pods fetch their code and their model from the server. */
@Timeout(240)
class PodFilesIT extends PodServiceJourney {
  private static final String PODS = "/api/v1/namespaces/trials/pods";
  private static final String SECRETS = "/api/v1/namespaces/trials/secrets";

  private Path document;

  @BeforeEach
  void write() throws IOException {
    Path code = Files.createDirectories(temp.resolve("code/inner"));
    Files.writeString(
        code.resolve("serve.py"),
        """
        import http.server, os
        path = os.environ["KUBEFLOW_MODEL_PATH"]
        with open(path + "/sub/weights") as file:
            text = file.read() + " " + os.path.basename(os.getcwd()) + " " + os.environ["PLACE"]
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200)
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text.encode())
        http.server.ThreadingHTTPServer((os.environ["LISTEN_HOST"], int(os.environ["PORT"])), Handler).serve_forever()
        """);
    document =
        Files.writeString(
            temp.resolve("service.yml"),
            """
            kind: Service
            name: weighs
            cluster: kube
            image: python:3
            code: ./code
            model: {name: weights, alias: production}
            command: exec python3 inner/serve.py
            env: {PLACE: $model_path}
            ports: [8080]
            """);
  }

  private void register() throws Exception {
    Path files = Files.createDirectories(temp.resolve("model/sub"));
    Files.writeString(files.resolve("weights"), "3.25");
    String model = Objects.requireNonNull(files.getParent()).toString();
    Ended registered = orrery("model", "register", "weights", model, "--alias", "production");
    assertThat(registered.code()).as(registered.err()).isZero();
  }

  private JsonNode pod() {
    return cluster.list(PODS).getFirst();
  }

  private static String secret(JsonNode secret, String key) {
    return new String(
        Base64.getDecoder().decode(secret.at("/data/" + key).asText()), StandardCharsets.UTF_8);
  }

  @Test
  void aPodServesCodeAndAModelOfTheRegistryAndOnlyItsTokenOpensThem() throws Exception {
    register();
    Ended applied = orrery("apply", "-f", document.toString());
    assertThat(applied.code()).as(applied.err()).isZero();
    ready("weighs");
    // The node has its volumes elsewhere; a path of a pod is replaced in variables as well.
    String[] words = answer("weighs").body().split(" ");
    assertThat(words).startsWith("3.25", "code").hasSize(3);
    assertThat(words[2]).endsWith("/files/model");

    JsonNode init = pod().at("/spec/initContainers/0");
    assertThat(init.path("image").asText()).isEqualTo("python:3");
    String url = "";
    String model = "";
    for (JsonNode variable : init.path("env")) {
      switch (variable.path("name").asText()) {
        case "ORRERY_URL" -> url = variable.path("value").asText();
        case "ORRERY_MODEL" -> model = variable.path("value").asText();
        default -> {}
      }
    }
    JsonNode tokens = cluster.get(SECRETS + "/" + pod().at("/metadata/name").asText());
    String token = secret(tokens, "token-model");
    assertThat(pod().toString()).doesNotContain(token);
    String files = url + "/pod-files/";
    assertThat(get(files + model, token).statusCode()).isEqualTo(200);
    assertThat(get(files + model, null).statusCode()).isEqualTo(401);
    assertThat(get(files + model, secret(tokens, "token-code")).statusCode()).isEqualTo(401);
    String other = "model/" + "0".repeat(64);
    assertThat(get(files + other, token).statusCode()).isEqualTo(401);
    assertThat(get(files + "home/" + model.substring(6), token).statusCode()).isEqualTo(404);
    assertThat(server.log()).doesNotContain(token);
  }

  @Test
  void anImageThatCannotFetchFilesSaysSoAsTheReason() throws Exception {
    register();
    Files.writeString(temp.resolve("node/launcher"), "env\nPATH=/nonexistent\n");
    Ended applied = orrery("apply", "-f", document.toString());
    assertThat(applied.code()).as(applied.err()).isZero();

    await()
        .atMost(PATIENCE)
        .untilAsserted(() ->
            assertThat(state("weighs").toString()).contains("neither python3 nor curl and tar"));
  }

  private static HttpResponse<String> get(String url, @Nullable String token) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url));
    if (token != null) {
      request.header("Authorization", "Bearer " + token);
    }
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(request.build(), BodyHandlers.ofString(StandardCharsets.ISO_8859_1));
    }
  }
}
