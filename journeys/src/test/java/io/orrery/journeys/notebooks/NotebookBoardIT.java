package io.orrery.journeys.notebooks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.orrery.core.process.SearchPath;
import io.orrery.core.tensorboard.EventFileWriter;
import io.orrery.journeys.ServerUsers;
import io.vertx.core.http.HttpMethod;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A real TensorBoard on a directory of the workspace. */
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class NotebookBoardIT extends NotebookJourney {
  private static final Pattern PORTS = Pattern.compile("(?:^|\0)(PORT|ORRERY_BOARD_PORT)=(\\d+)");

  @Override
  String configuration() {
    return "auth: {users: true, sandbox: none}\n";
  }

  private static boolean isInstalled(String program) {
    return SearchPath.of(System.getenv()).find(program).isPresent();
  }

  private String document(String ide) {
    return "{\"name\":\"ann-1\",\"project\":\"vision\",\"ide\":\"%s\",\"open\":\"/mnt/ann/log s\"}"
        .formatted(ide);
  }

  @Test
  void tensorBoardShowsADirectoryToItsPeopleAlone() throws Exception {
    assumeTrue(isInstalled("tensorboard"), "there is no tensorboard (pip install tensorboard)");
    Path logs = Files.createDirectories(temp.resolve("home/workspaces/ann/log s/one"));
    EventFileWriter events = new EventFileWriter(1_000);
    events.add(1_000, 1, Map.of("loss", 0.5));
    events.add(2_000, 2, Map.of("loss", 0.25));
    Files.write(logs.resolve("events.out.tfevents.1.test"), events.take());
    ServerUsers.Reply made = users.send(ann, "POST", ALL, document("tensorboard"));
    assertThat(made.status()).as(made.body()).isEqualTo(201);
    awaitStatus("RUNNING");
    String pass = pass(ann);

    await()
        .atMost(PATIENCE)
        .untilAsserted(() ->
            assertThat(ask(HttpMethod.GET, "/data/runs", pass, "").body()).contains("\"one\""));
    assertThat(ask(HttpMethod.GET, "/", pass, "").body()).contains("<title>TensorBoard</title>");
    assertThat(
            ask(HttpMethod.GET, "/data/plugin/scalars/scalars?run=one&tag=loss", pass, "").body())
        .contains("0.25");
    assertThat(ask(HttpMethod.GET, "/data/runs", "", "").status()).isEqualTo(401);
    assertThat(enter(bob).status()).isIn(403, 404);

    // Neither the port of the gate nor that of the program tells anything to a user of the machine.
    Set<String> ports = new TreeSet<>();
    for (String process : processes()) {
      Path environment = Path.of("/proc", process, "environ");
      Matcher found = PORTS.matcher(Files.readString(environment, StandardCharsets.ISO_8859_1));
      while (found.find()) {
        ports.add(found.group(2));
      }
      assertThat(Files.readString(Path.of("/proc", process, "cmdline")))
          .doesNotContain("--path_prefix=");
    }
    assertThat(ports).hasSize(2);
    try (HttpClient client = HttpClient.newHttpClient()) {
      for (String port : ports) {
        URI runs = URI.create("http://127.0.0.1:" + port + "/data/runs");
        var answer = client.send(HttpRequest.newBuilder(runs).build(), BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(port).isIn(403, 404);
        assertThat(answer.body()).doesNotContain("one");
      }
    }
  }

  @Test
  void aProgramThatIsMissingIsAFindingThatSaysWhatToInstall() throws Exception {
    assumeTrue(!isInstalled("code-server"), "there is a code-server");
    ServerUsers.Reply refused = users.send(ann, "POST", ALL, document("vscode"));
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.body()).contains("/ide", "npm install --global code-server");
    assertThat(users.get(ann, ONE).status()).isEqualTo(404);
  }
}
