package io.orrery.journeys.tracking;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.auth.BearerToken;
import io.orrery.journeys.ServerProcess;
import io.orrery.journeys.StandInTensorBoard;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A TensorBoard of a server with tokens: other programs of the machine reach its port. */
@Timeout(120)
class GuardedTensorBoardIT {
  private static final String CONFIGURATION =
      "auth: {tokens: [{name: ci, role: admin, sha256: %s}]}\n"
          .formatted(new BearerToken("orrery_the-token-of-ci").sha256());

  /** The module of a TensorBoard that takes the flags of the real one and shows its directory. */
  private static final String MODULE =
      """
      import functools, http.server, os, sys

      def run_main():
          flags = dict(zip(sys.argv[1::2], sys.argv[2::2]))
          prefix = flags["--path_prefix"]
          assert prefix not in " ".join(os.environ.values())

          class Below(http.server.SimpleHTTPRequestHandler):
              def do_GET(self):
                  if not self.path.startswith(prefix + "/"):
                      return self.send_error(404)
                  self.path = self.path[len(prefix):]
                  super().do_GET()

          shows = functools.partial(Below, directory=flags["--logdir"])
          address = flags["--host"], int(flags["--port"])
          http.server.ThreadingHTTPServer(address, shows).serve_forever()
      """;

  @TempDir Path temp;

  /** The variables of a server that finds it. */
  private Map<String, String> installed() throws IOException {
    Path module = Files.createDirectories(temp.resolve("modules/tensorboard"));
    Files.writeString(module.resolve("__init__.py"), "");
    Files.writeString(module.resolve("main.py"), MODULE);
    Map<String, String> variables =
        new HashMap<>(
            StandInTensorBoard.in(temp.resolve("programs"), "#!/usr/bin/env python3\nexit(1)\n"));
    variables.put("PYTHONPATH", temp.resolve("modules").toString());
    return variables;
  }

  private static JsonNode ended(ServerProcess server, Path base) throws Exception {
    Files.writeString(base.resolve("trial.sh"), "echo 'orrery: final 1'\n");
    String id =
        server
            .post(
                "/experiments",
                """
                trialCommand: sh trial.sh
                trialCodeDirectory: %s
                trialConcurrency: 1
                maxTrialNumber: 1
                searchSpace: {x: {_type: choice, _value: [1, 2]}}
                tuner: {name: Random}
                trainingService: {platform: local}
                """
                    .formatted(base))
            .get("id")
            .textValue();
    server.awaitStatus(id, Duration.ofSeconds(60), "DONE");
    return server.get("/experiments/" + id + "/trials").at("/items/0");
  }

  private static HttpResponse<String> ask(HttpClient client, URI address) throws Exception {
    return client.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString());
  }

  private static String commandLine(Path process) {
    try {
      return Files.readString(process.resolve("cmdline"), StandardCharsets.ISO_8859_1);
    } catch (IOException gone) {
      return "";
    }
  }

  @Test
  void itAnswersBelowASecretPathOnlyThatIsShownNowhereElse() throws Exception {
    Path home = Files.createDirectories(temp.resolve("home"));
    Files.writeString(home.resolve("orrery.yml"), CONFIGURATION);
    try (ServerProcess server =
            ServerProcess.begin(home, List.of("--port", "0", "--router-port", "off"), installed())
                .ready()
                .asOperator();
        HttpClient client = HttpClient.newHttpClient()) {
      JsonNode trial = ended(server, Files.createDirectories(temp.resolve("code")));
      String id = trial.get("id").textValue();
      String all = "/experiments/" + trial.get("experiment").textValue() + "/tensorboards";

      JsonNode board = server.post(all, "{\"trials\": [\"" + id + "\"]}");

      URI url = URI.create(board.get("url").textValue());
      String secret = url.getPath().replace("/", "");
      assertThat(secret).hasSizeGreaterThan(40);
      assertThat(url.getHost()).isEqualTo("127.0.0.1");
      assertThat(ask(client, url).body()).contains("0-" + id);
      assertThat(ask(client, url.resolve("0-" + id + "/")).statusCode()).isEqualTo(200);
      for (String path : List.of("/", "/0-" + id + "/", "/data/runs")) {
        assertThat(ask(client, url.resolve(path)).statusCode()).as(path).isEqualTo(404);
      }
      assertThat(server.get(all).at("/items/0/url")).isEqualTo(board.get("url"));

      assertThat(server.log()).contains("TensorBoard serves").doesNotContain(secret);
      try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
        List<String> commands = processes.map(GuardedTensorBoardIT::commandLine).toList();
        assertThat(commands).anyMatch(command -> command.contains("--logdir"));
        assertThat(commands).noneMatch(command -> command.contains(secret));
      }
    }
  }
}
