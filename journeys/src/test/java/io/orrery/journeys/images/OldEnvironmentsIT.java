package io.orrery.journeys.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.file.DirectoryTree;
import io.orrery.core.sql.PostgresServer;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Removes real environments that nothing names, on a real server. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class OldEnvironmentsIT extends EnvironmentJourney {
  /** So many that a server is killed while they are being deleted. */
  private static final int MANY = 30_000;

  private Path environment(String digest) {
    return home()
        .resolve("builds/public/environments")
        .resolve(digest.substring("sha256:".length()));
  }

  /** Builds an environment with a version of the module; its digest. */
  private String build(String name, String version) throws Exception {
    // The digest is that of the whole context: no wheel of another version is left in it.
    DirectoryTree.delete(
        home().resolve("workspaces").resolve(System.getProperty("user.name")).resolve("tool"));
    String place = workspace(context(version));
    boolean first =
        server.send("GET", "/builds/" + name, BodyPublishers.noBody()).statusCode() == 404;
    ObjectNode body = document("requirements.txt", "workspace", place);
    send("PUT", "/builds/" + name, body, first ? 201 : 200);
    if (!first) {
      send("POST", "/builds/" + name + "/start", "", 200);
    }
    JsonNode state = ended(name);
    assertThat(state.path("status").asText()).as(log(name)).isEqualTo("SUCCEEDED");
    return state.path("digest").asText();
  }

  private void age(String digest) throws IOException {
    Files.setLastModifiedTime(
        environment(digest).resolve("complete"),
        FileTime.from(Instant.now().minus(Duration.ofDays(20))));
  }

  private List<String> previewed() throws Exception {
    List<String> all = new ArrayList<>();
    server
        .get("/retention/preview?kind=environments&keepDays=5")
        .path("items")
        .forEach(item -> all.add(item.path("name").asText() + " " + item.path("usedBy").asText()));
    return all;
  }

  private JsonNode rule() throws Exception {
    for (JsonNode rule : server.get("/retention").path("items")) {
      if (rule.path("kind").asText().equals("environments")) {
        return rule;
      }
    }
    throw new AssertionError("there is no rule of environments");
  }

  private JsonNode run() throws Exception {
    String before = rule().at("/last/at").asText();
    send("POST", "/retention/run", "{}", 202);
    await().atMost(PATIENCE).until(() -> !rule().at("/last/at").asText().equals(before));
    return rule().path("last");
  }

  private static List<String> names(Path directory) throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return all.map(each -> each.getFileName().toString()).sorted().toList();
    }
  }

  private void removesWhatNothingNames() throws Exception {
    String served = build("tool", "1.0");
    put(python("hello", SERVER).put("image", "env:tool").toString());
    ready("hello");
    String last = build("tool", "2.0");
    String unused = build("lone", "3.0");
    build("lone", "4.0");
    age(served);
    age(last);
    age(unused);

    // What the service runs in was chosen a moment ago, besides.
    assertThat(previewed()).containsExactlyInAnyOrder(last + " build tool", unused + " null");
    assertThat(send("PUT", "/retention/environments", "{\"keepDays\": 5}", 200).path("title"))
        .hasToString("\"Unused environments\"");

    // A build that waits or runs has this lock.
    Process building =
        new ProcessBuilder("flock", environment(unused) + "/.lock", "sh", "-c", "echo; read end")
            .start();
    assertThat(building.getInputStream().read()).isEqualTo('\n');
    assertThat(run().path("kept").asInt()).isEqualTo(2);
    building.getOutputStream().close();
    building.waitFor();

    JsonNode pass = run();
    assertThat(pass.path("failure").isNull()).as("%s", pass).isTrue();
    assertThat(pass.path("removed").asInt()).isEqualTo(1);
    assertThat(names(environment(unused))).containsExactly(".lock");
    assertThat(environment(served).resolve("complete")).exists();
    assertThat(environment(last).resolve("complete")).exists();
    send("POST", "/services/hello/restart", "{}", 200);
    ready("hello");
    assertThat(server.get("/audit?kind=environments").at("/items/0/name").asText())
        .isEqualTo(unused);

    useOfWhatIsGone(unused);
  }

  /** A digest that is gone is said before anything starts, and is made again by its contents. */
  private void useOfWhatIsGone(String gone) throws Exception {
    ObjectNode late = python("late", SERVER).put("image", "env:lone@" + gone);
    assertThat(send("PUT", "/services/late", late, 400).toString())
        .contains("is not on this machine any more: name env:lone");

    assertThat(build("lone", "3.0")).isEqualTo(gone);
    put(late.toString());
    ready("late");
  }

  @Test
  void anEnvironmentThatNothingNamesIsRemovedAndMadeAgain() throws Exception {
    removesWhatNothingNames();
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void theSameWithPostgres() throws Exception {
    server.close();
    Files.writeString(
        home().resolve("orrery.yml"), "store: {url: '" + PostgresServer.newDatabase() + "'}\n");
    begin();
    removesWhatNothingNames();
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void aServerThatIsKilledWhileItRemovesLeavesNothingToStartIn() throws Exception {
    String unused = build("lone", "3.0");
    build("lone", "4.0");
    Path many = Files.createDirectories(environment(unused).resolve("many"));
    for (int i = 0; i < MANY; i++) {
      Files.createFile(many.resolve("file-" + i));
    }
    age(unused);
    send("PUT", "/retention/environments", "{\"keepDays\": 5}", 200);

    send("POST", "/retention/run", "{}", 202);
    await().atMost(PATIENCE).until(() -> !Files.exists(environment(unused).resolve("complete")));
    // The machine stops: neither the server nor what it started goes on.
    ProcessHandle.of(server.pid())
        .ifPresent(process -> process.descendants().forEach(ProcessHandle::destroyForcibly));
    server.kill();
    begin();

    ObjectNode late = python("late", SERVER).put("image", "env:lone@" + unused);
    assertThat(send("PUT", "/services/late", late, 400).toString()).contains("any more");
    run();
    assertThat(names(environment(unused))).containsExactly(".lock");
    assertThat(build("lone", "3.0")).isEqualTo(unused);
  }
}
