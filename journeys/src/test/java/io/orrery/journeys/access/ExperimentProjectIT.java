package io.orrery.journeys.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.journeys.ServerProcess;
import io.orrery.journeys.ServerUsers;
import io.orrery.journeys.ServerUsers.Person;
import io.orrery.journeys.ServerUsers.Reply;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Creates experiments of files that name a project, and edits objects that were edited before. */
class ExperimentProjectIT {
  private static final String FILE =
      """
      project: %s
      searchSpace: {x: {_type: uniform, _value: [0, 1]}}
      trialConcurrency: 1
      maxTrialNumber: 1
      tuner: {name: Random}
      trainingService: {platform: simulated, objective: x}
      """;
  private static final String PROJECT = "/api/v1/projects/vision";

  @TempDir Path temp;

  private Path home() throws Exception {
    Path home = Files.createDirectories(temp.toAbsolutePath().resolve("home"));
    Files.writeString(home.resolve("orrery.yml"), "auth: {users: true, sandbox: none}\n");
    return home;
  }

  @Test
  void theProjectOfTheFileIsThatOfTheExperiment() throws Exception {
    try (ServerProcess server = ServerProcess.start(home());
        ServerUsers users = new ServerUsers(server)) {
      Person root = users.administrator();
      Person ann = users.user(root, "ann");
      Person sam = users.user(root, "sam");
      users.send(ann, "PUT", PROJECT, "{\"title\": \"Vision\"}");
      String file = FILE.formatted("vision");

      Reply created = users.send(ann, "POST", "/api/v1/experiments", file);

      assertThat(created.status()).as(created.body()).isEqualTo(201);
      assertThat(created.json().path("project").asText()).isEqualTo("vision");
      assertThat(created.json().path("config").has("project")).isFalse();
      assertThat(users.send(sam, "POST", "/api/v1/experiments", file).status()).isEqualTo(404);
      assertThat(
              users
                  .send(sam, "POST", "/api/v1/experiments", FILE.formatted("No!"))
                  .json()
                  .at("/errors/0/pointer")
                  .asText())
          .isEqualTo("/project");
      for (String path : List.of("/api/v1/platforms/check", "/api/v1/rehearsals?runs=1")) {
        assertThat(users.send(ann, "POST", path, file).status()).as(path).isEqualTo(200);
        assertThat(users.send(sam, "POST", path, file).status()).as(path).isEqualTo(404);
        String named = path + (path.contains("?") ? "&" : "?") + "project=vision";
        assertThat(users.send(sam, "POST", named, FILE.formatted("public")).status())
            .as(named)
            .isEqualTo(404);
      }
      theCommandRehearsesInTheProjectThatItNames(server, users, ann, sam);
      Reply elsewhere = users.send(ann, "POST", "/api/v1/experiments?project=public", file);
      assertThat(elsewhere.json().path("project").asText()).isEqualTo("public");
    }
  }

  private void theCommandRehearsesInTheProjectThatItNames(
      ServerProcess server, ServerUsers users, Person member, Person stranger) throws Exception {
    Files.writeString(temp.resolve("rehearsed.yml"), FILE.formatted("public"));
    assertThat(simulate(server, users, member, "vision")).contains("2 RUNS", "succeeded");
    assertThat(simulate(server, users, stranger, "public")).contains("2 RUNS");
    assertThat(simulate(server, users, stranger, "vision"))
        .contains("There is no project 'vision'")
        .doesNotContain("RUNS");
  }

  private String simulate(ServerProcess server, ServerUsers users, Person person, String project)
      throws Exception {
    Reply made =
        users.send(person, "POST", "/api/v1/me/tokens", "{\"name\":\"cli-%s\"}".formatted(project));
    assertThat(made.status()).as(made.body()).isEqualTo(201);
    ProcessBuilder builder =
        new ProcessBuilder(
                ServerProcess.command(
                    "experiment", "simulate", "rehearsed.yml", "--runs", "2", "--project", project))
            .directory(temp.toFile())
            .redirectErrorStream(true);
    builder.environment().put("ORRERY_URL", server.url().toString());
    builder.environment().put("ORRERY_TOKEN", made.json().findValue("token").asText());
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return output;
  }

  @Test
  void aConflictOfRevisionsCarriesThePresentObject() throws Exception {
    try (ServerProcess server = ServerProcess.start(home());
        ServerUsers users = new ServerUsers(server)) {
      Person root = users.administrator();
      Person ann = users.user(root, "ann");
      Person sam = users.user(root, "sam");
      users.send(ann, "PUT", PROJECT, "{\"title\": \"One\"}");
      users.send(ann, "PUT", PROJECT, "{\"title\": \"Two\"}");

      Reply late = users.send(ann, "PUT", PROJECT, "{\"title\": \"Three\"}", "If-Match", "\"1\"");

      assertThat(late.status()).isEqualTo(409);
      assertThat(late.json().at("/present/title").asText()).isEqualTo("Two");
      assertThat(late.json().at("/present/revision").asInt()).isEqualTo(2);
      Reply foreign = users.send(sam, "PUT", PROJECT, "{\"title\": \"X\"}", "If-Match", "\"1\"");
      assertThat(foreign.body()).doesNotContain("Two");
    }
  }
}
