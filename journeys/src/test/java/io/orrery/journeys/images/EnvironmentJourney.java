package io.orrery.journeys.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;
import io.orrery.journeys.services.ServiceJourney;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** A server that builds environments of Python packages from wheels of a folder, offline. */
abstract class EnvironmentJourney extends ServiceJourney {
  static final String SERVER =
      """
      import http.server, os, sys, greeting
      class Handler(http.server.BaseHTTPRequestHandler):
          def do_GET(self):
              self.send_response(200)
              self.end_headers()
              self.wfile.write((greeting.WORDS + ' ' + sys.prefix).encode())
          def log_message(self, *words):
              pass
      http.server.HTTPServer(('127.0.0.1', int(os.environ['PORT'])), Handler).serve_forever()
      """;

  /** Prints what the module says, and which environment the program is in. */
  static final String SAYING =
      "echo $(python -c 'import greeting, sys; print(greeting.WORDS, sys.prefix)') $VIRTUAL_ENV";

  static final String REPORTING =
      "python -c 'import nni; nni.get_next_parameter(); nni.report_final_result(1)'";

  @Override
  protected void configure() throws Exception {
    Process venv = new ProcessBuilder("python3", "-c", "import venv, ensurepip").start();
    assumeTrue(venv.waitFor() == 0, "needs python3-venv");
    Files.writeString(home().resolve("orrery.yml"), "git: {networks: [127.0.0.1]}\n");
  }

  /** A wheel of a package of one module. */
  static byte[] wheel(String version) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      String info = "greeting-%s.dist-info/".formatted(version);
      for (var file :
          Map.of(
                  "greeting.py",
                  "WORDS = 'hello from %s'\n".formatted(version),
                  info + "METADATA",
                  "Metadata-Version: 2.1\nName: greeting\nVersion: %s\n".formatted(version),
                  info + "WHEEL",
                  "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\n"
                      + "Tag: py3-none-any\n",
                  info + "RECORD",
                  "")
              .entrySet()) {
        ZipEntry entry = new ZipEntry(file.getKey());
        // The same version is the same bytes, whenever it is made.
        entry.setTimeLocal(LocalDateTime.of(2026, 1, 1, 0, 0));
        zip.putNextEntry(entry);
        zip.write(file.getValue().getBytes(StandardCharsets.UTF_8));
      }
    }
    return bytes.toByteArray();
  }

  static Map<String, byte[]> context(String version) throws IOException {
    return Map.of(
        "wheels/greeting-%s-py3-none-any.whl".formatted(version),
        wheel(version),
        "requirements.txt",
        "--no-index\n--find-links wheels\n-r more.txt\n".getBytes(StandardCharsets.UTF_8),
        "more.txt",
        "greeting==%s\n".formatted(version).getBytes(StandardCharsets.UTF_8));
  }

  /** Writes files into the workspace; the path of the directory as documents name it. */
  String workspace(Map<String, byte[]> files) throws IOException {
    String user = System.getProperty("user.name");
    Path root = home().resolve("workspaces").resolve(user).resolve("tool");
    for (var file : files.entrySet()) {
      Path path = root.resolve(file.getKey());
      Files.createDirectories(path.getParent());
      Files.write(path, file.getValue());
    }
    return "/mnt/" + user + "/tool";
  }

  JsonNode send(String method, String path, Object body, int status) throws Exception {
    HttpResponse<String> answer =
        server.send(method, path, BodyPublishers.ofString(body.toString()));
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    return answer.body().isEmpty() ? Json.MAPPER.missingNode() : Json.parse(answer.body());
  }

  static ObjectNode document(String requirements, String key, String context) {
    ObjectNode body = Json.MAPPER.createObjectNode().put("requirements", requirements);
    body.putObject("context").put(key, context);
    return body;
  }

  JsonNode ended(String build) throws Exception {
    await()
        .atMost(PATIENCE.multipliedBy(3))
        .untilAsserted(() ->
            assertThat(server.get("/builds/" + build).at("/state/status").asText())
                .isIn("SUCCEEDED", "FAILED"));
    return server.get("/builds/" + build).path("state");
  }

  String log(String build) throws Exception {
    return server.send("GET", "/builds/" + build + "/logs", BodyPublishers.noBody()).body();
  }

  static ObjectNode task(String name, String image) {
    return Json.MAPPER
        .createObjectNode()
        .put("name", name)
        .put("image", image)
        .put("command", SAYING + " > $ORRERY_OUTPUTS/said");
  }

  static ObjectNode pipeline(ObjectNode... tasks) {
    ObjectNode document = Json.MAPPER.createObjectNode();
    document.putArray("tasks").addAll(List.of(tasks));
    return document;
  }

  JsonNode over(String run) throws Exception {
    await()
        .atMost(PATIENCE)
        .until(() ->
            List.of("SUCCEEDED", "FAILED")
                .contains(server.get("/runs/" + run).path("status").asText()));
    return server.get("/runs/" + run);
  }
}
