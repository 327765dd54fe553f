package io.orrery.journeys.access;

import static io.orrery.journeys.ServerUsers.PASSWORD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import io.orrery.journeys.ServerProcess;
import io.orrery.journeys.ServerUsers;
import io.orrery.journeys.ServerUsers.Person;
import io.orrery.journeys.ServerUsers.Reply;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Uses accounts and projects of a real server: set-up, roles, and what stays hidden. */
class PeopleIT {
  private static final String EXPERIMENT =
      """
      trialCommand: 'echo "orrery: final 1"'
      trialConcurrency: 1
      maxTrialNumber: 1
      searchSpace: {x: {_type: uniform, _value: [0, 1]}}
      tuner: {name: Random, classArgs: {optimize_mode: maximize}}
      trainingService: {platform: local}
      """;

  private static final int PROJECTS = 20;
  private static final int MEMBERSHIPS = 200;

  @TempDir Path temp;
  private final HttpClient http = HttpClient.newHttpClient();
  private ServerProcess server;
  private ServerUsers users;

  @BeforeEach
  void start() throws Exception {
    Files.createDirectories(home());
    Files.writeString(home().resolve("orrery.yml"), "auth: {users: true, sandbox: none}\n");
    server = ServerProcess.start(home());
    users = new ServerUsers(server);
  }

  @AfterEach
  void stop() {
    users.close();
    server.close();
    http.close();
  }

  private Path home() {
    return temp.toAbsolutePath().resolve("home");
  }

  private void member(Person creator, String project, String user, String role) throws Exception {
    Reply put =
        users.send(
            creator,
            "PUT",
            "/api/v1/projects/" + project + "/members/" + user,
            "{\"role\":\"" + role + "\"}");
    assertThat(put.status()).as(put.body()).isEqualTo(200);
  }

  private String experiment(Person person, String project, String prefix) throws Exception {
    Reply created =
        users.send(
            person,
            "POST",
            "/api/v1/experiments?project=%s&urlPrefix=%s&base=%s"
                .formatted(project, prefix, temp.toAbsolutePath().toString().replace(" ", "%20")),
            EXPERIMENT);
    assertThat(created.status()).as(created.body()).isEqualTo(201);
    assertThat(created.json().get("owner").textValue()).isEqualTo(person.name());
    return created.json().get("id").textValue();
  }

  private List<String> listed(Person person, String path, String key) throws Exception {
    List<String> values = new ArrayList<>();
    for (JsonNode item : users.get(person, "/api/v1" + path).json().get("items")) {
      values.add(item.get(key).textValue());
    }
    return values;
  }

  @Test
  void aUserMayNotHaveTheServerLookUpSecretsByAnyEntry() throws Exception {
    Person root = users.administrator();
    Person ann = users.user(root, "ann");
    String remote =
        EXPERIMENT.replace(
            "{platform: local}",
            "{platform: remote, machineList: [{host: 127.0.0.1, port: 1, user: x,"
                + " password: 'env:HOME'}]}");
    String base = "base=" + temp.toAbsolutePath().toString().replace(" ", "%20");

    for (String path :
        List.of(
            "/api/v1/experiments?" + base,
            "/api/v1/experiments?dryRun=true&" + base,
            "/api/v1/rehearsals?" + base,
            "/api/v1/platforms/check?" + base)) {
      Reply refused = users.send(ann, "POST", path, remote);
      assertThat(refused.status()).as(path + refused.body()).isEqualTo(400);
      assertThat(refused.body())
          .contains("/trainingService/machineList/0/password")
          .contains("only administrators");
    }
    Reply allowed = users.send(root, "POST", "/api/v1/experiments?dryRun=true&" + base, remote);
    assertThat(allowed.status()).as(allowed.body()).isEqualTo(200);
  }

  @Test
  void anExperimentOfAProjectIsThereForItsMembersAlone() throws Exception {
    Person root = users.administrator();
    Person ann = users.user(root, "ann");
    Person bob = users.user(root, "bob");
    Person sam = users.user(root, "sam");
    assertThat(users.send(ann, "PUT", "/api/v1/projects/vision", "{\"title\":\"Vision\"}").status())
        .isEqualTo(201);
    member(ann, "vision", "bob", "viewer");
    String id = experiment(ann, "vision", "eyes");
    String path = "/api/v1/experiments/" + id;

    assertThat(listed(bob, "/experiments", "id")).containsExactly(id);
    assertThat(listed(root, "/experiments?project=vision", "id")).containsExactly(id);
    assertThat(listed(sam, "/experiments", "id")).isEmpty();
    assertThat(listed(sam, "/experiments?project=vision", "id")).isEmpty();
    for (String part : List.of("", "/trials", "/archive", "/export", "/events", "/annotation")) {
      Reply hidden = users.get(sam, path + part);
      assertThat(hidden.status()).as(part).isEqualTo(404);
      assertThat(hidden.json().get("detail"))
          .isEqualTo(
              Json.parse(
                      users
                          .get(sam, "/api/v1/experiments/nowhere1" + part)
                          .body()
                          .replace("nowhere1", id))
                  .get("detail"));
    }
    assertThat(users.get(sam, "/api/v1/nni/experiments/" + id + "/experiment").status())
        .isEqualTo(404);
    assertThat(users.get(sam, "/api/v1/nni/experiment").status()).isEqualTo(404);
    assertThat(users.get(sam, "/api/v1/nni/experiments-info").body()).isEqualTo("[]");
    assertThat(users.get(bob, "/eyes/api/v1/nni/experiment").body()).contains(id);
    assertThat(users.get(sam, "/eyes/api/v1/nni/experiment").body())
        .doesNotContain(id)
        .isEqualTo(
            users.get(sam, "/nose/api/v1/nni/experiment").body().replace("'nose'", "'eyes'"));
    assertThat(users.get(bob, path).json().get("project").textValue()).isEqualTo("vision");
    assertThat(users.send(bob, "DELETE", path, "").status()).isEqualTo(403);
    assertThat(users.send(sam, "POST", "/api/v1/experiments?project=vision", EXPERIMENT).status())
        .isEqualTo(404);
    assertThat(users.send(bob, "POST", "/api/v1/experiments?project=vision", EXPERIMENT).status())
        .isEqualTo(403);
    assertThat(users.get(sam, "/api/v1/projects/vision").status()).isEqualTo(404);
    assertThat(
            users
                .send(bob, "PUT", "/api/v1/projects/vision/members/sam", "{\"role\":\"member\"}")
                .status())
        .isEqualTo(403);
    await()
        .untilAsserted(() ->
            assertThat(users.get(root, "/api/v1/audit?user=bob&kind=experiment").body())
                .contains("\"action\":\"delete\"")
                .contains("refused with 403"));
    assertThat(listed(sam, "/projects?member=ann", "name")).containsExactly("public");
    assertThat(listed(bob, "/projects?member=ann&role=creator", "name")).containsExactly("vision");
    assertThat(listed(bob, "/projects?role=viewer", "name")).containsExactly("vision");
    assertThat(listed(root, "/projects?role=viewer", "name")).isEmpty();
    assertThat(users.get(bob, "/api/v1/projects?role=boss").status()).isEqualTo(400);
    assertThat(listed(root, "/users?role=admin&active=true", "name")).containsExactly("root");
    assertThat(users.get(sam, "/api/v1/users?role=admin").status()).isEqualTo(403);
    assertThat(users.get(sam, "/api/v1/logs").status()).isEqualTo(403);
    assertThat(users.get(sam, "/api/v1/audit").status()).isEqualTo(403);
    assertThat(server.log()).doesNotContain(PASSWORD);
  }

  @Test
  void aDisabledUserIsOutAtOnceAndTheOpenEventStreamEnds() throws Exception {
    Person root = users.administrator();
    Person bob = users.user(root, "bob");
    HttpResponse<InputStream> stream =
        http.send(
            HttpRequest.newBuilder(server.url().resolve("/api/v1/events"))
                .header("Cookie", bob.cookie())
                .build(),
            BodyHandlers.ofInputStream());
    assertThat(stream.statusCode()).isEqualTo(200);
    CompletableFuture<Void> ended = CompletableFuture.runAsync(() -> readToEnd(stream.body()));

    assertThat(users.send(root, "PATCH", "/api/v1/users/bob", "{\"active\":false}").status())
        .isEqualTo(200);

    await()
        .atMost(Duration.ofSeconds(10))
        .until(() -> users.get(bob, "/api/v1/experiments").status() == 401);
    await().atMost(Duration.ofSeconds(10)).until(ended::isDone);
  }

  private static void readToEnd(InputStream body) {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8))) {
      String line = lines.readLine();
      while (line != null) {
        line = lines.readLine();
      }
    } catch (IOException e) {
      // A connection that is closed ends the stream too.
    }
  }

  @Test
  void sessionsTokensAndAcknowledgedMembershipsSurviveAKill() throws Exception {
    Person root = users.administrator();
    Person ann = users.user(root, "ann");
    Reply made =
        users.send(ann, "POST", "/api/v1/me/tokens", "{\"name\":\"ci\",\"scope\":\"read\"}");
    String token = made.json().get("token").textValue();
    for (int i = 0; i < PROJECTS; i++) {
      assertThat(users.send(ann, "PUT", "/api/v1/projects/p" + i, "{}").status()).isEqualTo(201);
    }
    Map<String, String> acknowledged = new HashMap<>();
    for (int i = 0; i < MEMBERSHIPS; i++) {
      String project = "p" + i % PROJECTS;
      String role = List.of("viewer", "member", "ops").get((i / PROJECTS + i) % 3);
      member(ann, project, "root", role);
      acknowledged.put(project, role);
    }

    server.kill();
    server = ServerProcess.start(home());
    users.moveTo(server);

    JsonNode me = users.get(ann, "/api/v1/me").json();
    assertThat(me.get("projects")).hasSize(21);
    assertThat(me.toString()).contains("{\"name\":\"p19\",\"role\":\"creator\"}");
    for (Map.Entry<String, String> each : acknowledged.entrySet()) {
      List<String> roles = new ArrayList<>();
      users
          .get(ann, "/api/v1/projects/" + each.getKey() + "/members")
          .json()
          .get("items")
          .forEach(item -> {
            if (item.get("user").textValue().equals("root")) {
              roles.add(item.get("role").textValue());
            }
          });
      assertThat(roles).as(each.getKey()).containsExactly(each.getValue());
    }
    assertThat(users.get(root, "/api/v1/audit?kind=member&limit=1000").json().get("items"))
        .hasSize(MEMBERSHIPS);
    assertThat(bearer(token, "GET", "/api/v1/experiments")).isEqualTo(200);
    assertThat(bearer(token, "PUT", "/api/v1/projects/new")).isEqualTo(403);
    assertThat(server.log()).containsOnlyOnce("with the code").doesNotContain(token);
    assertThat(users.get(root, "/api/v1/audit?kind=project&limit=1000").json().get("items"))
        .hasSize(20);
  }

  @Test
  void aCheckOfAChangeToPeopleChangesNothing() throws Exception {
    Person root = users.administrator();
    Person ann = users.user(root, "ann");
    assertThat(users.send(ann, "PUT", "/api/v1/projects/vision", "{}").status()).isEqualTo(201);
    String before = users.get(root, "/api/v1/audit?limit=1000").body();
    String vision = "/api/v1/projects/vision";

    dry(root, "POST", "/api/v1/users", "{\"name\":\"bob\"}", 200);
    dry(root, "POST", "/api/v1/users", "{\"name\":\"ann\"}", 409);
    dry(root, "POST", "/api/v1/users", "{\"name\":\"B\"}", 400);
    dry(ann, "POST", "/api/v1/users", "{\"name\":\"bob\"}", 403);
    dry(root, "PATCH", "/api/v1/users/ann", "{\"active\":false}", 200);
    dry(root, "PATCH", "/api/v1/users/stranger", "{\"active\":false}", 404);
    dry(root, "POST", "/api/v1/users/ann/password", "{\"password\":\"four blue cups\"}", 200);
    dry(root, "POST", "/api/v1/users/ann/password", "{\"password\":\"short\"}", 400);
    dry(ann, "POST", "/api/v1/me/tokens", "{\"name\":\"ci\"}", 200);
    dry(ann, "PUT", vision + "/members/root", "{\"role\":\"ops\"}", 200);
    dry(ann, "PUT", vision + "/members/stranger", "{\"role\":\"ops\"}", 404);
    dry(ann, "PUT", vision + "/members/ann", "{\"role\":\"ops\"}", 409);
    dry(ann, "PUT", vision + "/secrets/hub", "{\"value\":\"x\"}", 200);
    dry(ann, "PUT", vision + "/secrets/Hub!", "{\"value\":\"x\"}", 400);
    dry(root, "POST", vision + "/join-requests", "{\"message\":\"x\"}", 200);
    dry(ann, "POST", vision + "/join-requests/root/accept", "", 404);
    dry(root, "POST", "/api/v1/experiments", "{}", 400);
    String base = "&base=" + temp.toAbsolutePath().toString().replace(" ", "%20");
    String experiments = "/api/v1/experiments?dryRun=true" + base;
    assertThat(users.send(root, "POST", experiments, EXPERIMENT).status()).isEqualTo(200);

    assertThat(users.get(root, "/api/v1/audit?limit=1000").body()).isEqualTo(before);
    assertThat(users.get(ann, "/api/v1/me").status()).isEqualTo(200);
    assertThat(users.get(ann, "/api/v1/me/tokens").json().get("items")).isEmpty();
    assertThat(users.get(ann, vision + "/secrets").json().get("items")).isEmpty();
    assertThat(users.get(ann, vision + "/members").json().get("items")).hasSize(1);
  }

  private void dry(Person person, String method, String path, String body, int status)
      throws Exception {
    Reply checked = users.send(person, method, path + "?dryRun=true", body);
    assertThat(checked.status()).as(path + checked.body()).isEqualTo(status);
    if (status == 200) {
      assertThat(checked.json().get("valid").booleanValue()).as(path).isTrue();
    }
  }

  private int bearer(String token, String method, String path) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(server.url() + path))
            .header("Authorization", "Bearer " + token)
            .method(method, BodyPublishers.ofString(method.equals("GET") ? "" : "{}"))
            .build();
    return http.send(request, BodyHandlers.ofString()).statusCode();
  }

  private record Ended(int code, String out, String err) {}

  /** Runs a command as a person on another machine: with a home of its own. */
  private Ended orrery(String input, String... arguments) throws Exception {
    Path err = Files.createTempFile(temp, "err", ".txt");
    ProcessBuilder builder = new ProcessBuilder(ServerProcess.command(arguments));
    builder.environment().put("ORRERY_HOME", temp.toAbsolutePath().resolve("laptop").toString());
    Process process = builder.redirectError(err.toFile()).start();
    try (OutputStream in = process.getOutputStream()) {
      in.write(input.getBytes(StandardCharsets.UTF_8));
    }
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(150, TimeUnit.SECONDS)).isTrue();
    return new Ended(process.exitValue(), out, Files.readString(err));
  }

  @Test
  void theCommandLineSignsInWorksInProjectsAndSignsOut() throws Exception {
    users.administrator();
    String url = server.url().toString();

    Ended wrong = orrery("no such password\n", "login", "--user", "root", "--password-stdin", url);
    assertThat(wrong.code()).isEqualTo(1);
    assertThat(wrong.err()).contains("The name or the password is wrong.");
    Ended login = orrery(PASSWORD + "\n", "login", "--user", "root", "--password-stdin", url);
    assertThat(login.code()).as(login.err()).isZero();
    assertThat(Files.getPosixFilePermissions(temp.resolve("laptop/login.json")))
        .hasToString("[OWNER_READ, OWNER_WRITE]");

    assertThat(orrery("", "whoami").out()).startsWith("root (admin)");
    Ended added = orrery("", "user", "add", "bob");
    assertThat(added.out()).startsWith("orrery_");
    users.setUp(added.out().strip(), "bob");
    assertThat(orrery("", "project", "create", "vision", "--title", "Vision").code()).isZero();
    assertThat(orrery("", "project", "members", "vision", "--add", "bob", "--role", "ops").out())
        .contains("bob")
        .contains("ops");
    assertThat(orrery("", "project", "list").out()).contains("vision").contains("creator");
    Person bob = users.signIn("bob");
    assertThat(users.get(bob, "/api/v1/projects/vision").json().get("role").textValue())
        .isEqualTo("ops");
    assertThat(orrery("", "user", "disable", "bob").code()).isZero();
    assertThat(orrery("", "user", "list").out()).contains("disabled");
    assertThat(orrery("", "audit", "--user", "root").out())
        .contains("disable")
        .contains("user bob");
    Path exported = temp.resolve("audit.ndjson");
    assertThat(orrery("", "audit", "--user", "root", "--export", exported.toString()).code())
        .isZero();
    List<JsonNode> lines = Files.readAllLines(exported).stream().map(Json::parse).toList();
    assertThat(lines).extracting(line -> line.get("user").textValue()).containsOnly("root");
    assertThat(lines).extracting(line -> line.get("action").textValue()).contains("disable");
    assertThat(users.get(bob, "/api/v1/audit/export").status()).isEqualTo(401);

    assertThat(orrery("", "logout").code()).isZero();
    assertThat(Files.exists(temp.resolve("laptop/login.json"))).isFalse();
    assertThat(orrery("", "whoami", "--server", url).code()).isEqualTo(1);
  }
}
