package io.orrery.journeys.access;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import io.orrery.journeys.ServerProcess;
import io.orrery.journeys.ServerUsers;
import io.orrery.journeys.ServerUsers.Person;
import io.orrery.journeys.ServerUsers.Reply;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks settings of projects against what a real server has, by API and command. */
class ProjectCheckIT {
  private static final String CHECK = "/api/v1/projects/vision/check";
  private static final String TOKENS = "/api/v1/me/tokens";

  @TempDir Path temp;

  private Path home() throws Exception {
    Path home = Files.createDirectories(temp.toAbsolutePath().resolve("home"));
    Files.writeString(home.resolve("orrery.yml"), "auth: {users: true, sandbox: none}\n");
    return home;
  }

  @Test
  void settingsAreComparedWithTheClusterAndTheMachine() throws Exception {
    Path there = Files.createDirectories(temp.toAbsolutePath().resolve("there"));
    try (ServerProcess server = ServerProcess.start(home());
        ServerUsers users = new ServerUsers(server)) {
      Person root = users.administrator();
      Person ann = users.user(root, "ann");
      Person sam = users.user(root, "sam");
      String wrong = "{\"settings\": {\"cluster\": \"nowhere\", \"node_selector\": \"disk=fast\"}}";

      Reply stored = users.send(ann, "PUT", "/api/v1/projects/vision", wrong);

      assertThat(stored.status()).as(stored.body()).isEqualTo(201);
      assertThat(stored.json().get("notices").toString())
          .contains("/settings/cluster: there is no cluster 'nowhere'")
          .contains("there is here");
      JsonNode own = users.send(ann, "POST", CHECK, "{}").json();
      assertThat(own.get("valid").booleanValue()).isFalse();
      assertThat(own.at("/errors/0/pointer").textValue()).isEqualTo("/settings/cluster");
      assertThat(users.send(sam, "POST", CHECK, "{}").status()).isEqualTo(404);

      String mounts = "%s:%s;/no/such(hostpath):/no/such;data(pvc):/mnt".formatted(there, there);
      JsonNode found =
          users
              .send(
                  ann,
                  "POST",
                  CHECK,
                  Json.MAPPER
                      .createObjectNode()
                      .set(
                          "settings",
                          Json.MAPPER
                              .createObjectNode()
                              .put("volume_mount", mounts)
                              .put("node_selector", "disk=fast"))
                      .toString())
              .json();

      assertThat(found.get("errors")).hasSize(2);
      assertThat(found.at("/errors/0/message").textValue())
          .startsWith("at character %d: ".formatted(mounts.indexOf("/no/such") + 1));
      assertThat(found.at("/errors/1/message").textValue())
          .startsWith("at character %d: ".formatted(mounts.indexOf("data(") + 1))
          .contains("cannot be mounted for a process");
      assertThat(found.at("/notices").toString()).contains("chooses nodes of Kubernetes");
      String grammar = "{\"settings\": {\"SERVICE_EXTERNAL_IP\": \"10.0.0.7|\"}}";
      JsonNode address = users.send(ann, "POST", CHECK, grammar).json();
      assertThat(address.get("valid").booleanValue()).isFalse();
      assertThat(address.at("/errors/0/pointer").textValue())
          .isEqualTo("/settings/SERVICE_EXTERNAL_IP");
      assertThat(users.get(ann, "/api/v1/projects/vision").json().at("/settings/cluster"))
          .hasToString("\"nowhere\"");
    }
  }

  @Test
  void aViewerHasAnAccountAndProjectsAreFoundByTheirOwner() throws Exception {
    try (ServerProcess server = ServerProcess.start(home());
        ServerUsers users = new ServerUsers(server)) {
      Person root = users.administrator();
      Person ann = users.user(root, "ann");
      users.user(root, "eve");
      assertThat(users.send(root, "PATCH", "/api/v1/users/eve", "{\"role\":\"viewer\"}").status())
          .isEqualTo(200);
      Person eve = users.signIn("eve");
      String own = "/api/v1/users/eve/password";

      Reply token = users.send(eve, "POST", TOKENS, "{\"name\":\"cli\",\"scope\":\"read\"}");
      assertThat(token.status()).as(token.body()).isEqualTo(201);
      assertThat(users.send(eve, "DELETE", TOKENS + "/cli", "").status()).isEqualTo(204);
      String change = "{\"present\":\"%s\",\"password\":\"four blue cups\"}";
      assertThat(users.send(eve, "POST", own, change.formatted("guessed it")).status())
          .isEqualTo(400);
      assertThat(users.send(eve, "POST", own, change.formatted(ServerUsers.PASSWORD)).status())
          .isEqualTo(204);
      assertThat(users.send(eve, "POST", "/api/v1/users/ann/password", change).status())
          .isEqualTo(403);
      assertThat(users.send(eve, "PUT", "/api/v1/projects/eves", "{}").status()).isEqualTo(403);

      Reply name = users.send(ann, "PUT", "/api/v1/projects/Big_Vision", "{}");
      assertThat(name.status()).isEqualTo(400);
      assertThat(name.json().at("/errors/0/pointer").textValue()).isEqualTo("/name");
      assertThat(users.send(ann, "PUT", "/api/v1/projects/vision", "{}").status()).isEqualTo(201);
      String none = "/api/v1/projects/nothing-there";
      for (String list : List.of("/members", "/join-requests", "/secrets", "/usage")) {
        assertThat(users.get(root, none + list).status()).as(list).isEqualTo(404);
      }
      assertThat(users.get(root, "/api/v1/audit?kind=Project").json().at("/items/0/name"))
          .hasToString("\"vision\"");
      String members = "/api/v1/projects/vision/members/eve";
      assertThat(users.send(ann, "PUT", members, "{\"role\":\"boss\"}").json().get("errors"))
          .hasSize(1);
      String list = "/api/v1/projects?owner=";
      assertThat(users.get(ann, list + "ann").json().get("items")).hasSize(1);
      assertThat(users.get(ann, list + "root").json().get("items")).isEmpty();
      for (String project : List.of("vision", "nothing-there")) {
        Reply asked =
            users.send(
                root,
                "POST",
                "/api/v1/projects/" + project + "/join-requests",
                "{\"message\":\"please\"}");
        assertThat(asked.status()).isEqualTo(202);
        assertThat(asked.json().get("message").textValue()).isEqualTo("please");
      }
    }
  }

  @Test
  void theCommandNamesTheLineOfEachFaultAndFails() throws Exception {
    Path file = temp.resolve("settings.yml");
    Files.writeString(file, "area: north\ncluster: nowhere\n");
    Files.createDirectories(temp.toAbsolutePath().resolve("home"));
    try (ServerProcess server = ServerProcess.start(temp.toAbsolutePath().resolve("home"))) {
      String url = server.url().toString();
      assertThat(run("project", "create", "vision", "--server", url).code()).isZero();

      Ended wrong =
          run("project", "check", "vision", "--settings", file.toString(), "--server", url);

      assertThat(wrong.code()).as(wrong.out()).isEqualTo(2);
      assertThat(wrong.out())
          .contains("settings.yml, line 2, /cluster: there is no cluster 'nowhere'");
      Ended right = run("project", "check", "vision", "--server", url);
      assertThat(right.out()).contains("the settings of vision are right");
      assertThat(right.code()).isZero();
    }
  }

  private record Ended(int code, String out) {}

  private Ended run(String... arguments) throws Exception {
    ProcessBuilder builder = new ProcessBuilder(ServerProcess.command(arguments));
    builder.environment().put("ORRERY_HOME", temp.toAbsolutePath().resolve("home").toString());
    Process process = builder.redirectErrorStream(true).start();
    String out = new String(process.getInputStream().readAllBytes());
    assertThat(process.waitFor(50, TimeUnit.SECONDS)).isTrue();
    return new Ended(process.exitValue(), out);
  }
}
