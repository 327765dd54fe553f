package io.orrery.journeys.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.journeys.NumberedTrials;
import io.orrery.journeys.access.NamedServers.Answer;
import io.orrery.journeys.access.NamedServers.Ended;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Goes through all that the API and the command line have for people and projects, with curl and
 * the packaged program, over TLS under a host name. Of several servers each request goes to the
 * next one.
 */
@Timeout(600)
class PeopleListIT extends PeopleList {
  private String ann;
  private String bob;
  private String token = "";

  @Test
  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  void oneServerWithFilesOfItsOwn() throws Exception {
    servers = NamedServers.onSqlite(temp, AUTH);
    setUpRoot(servers);
    all();
  }

  @Test
  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  void oneServerOnPostgres() throws Exception {
    servers = NamedServers.onPostgres(temp, AUTH);
    setUpRoot(servers);
    all();
  }

  @Test
  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  void threeServersOnPostgres() throws Exception {
    servers = NamedServers.together(temp, AUTH, 3, this::setUpRoot);
    all();
  }

  private void all() throws Exception {
    unknownCallers();
    sessions();
    users();
    tokens();
    projects();
    membersAndRequests();
    usageAndSecrets();
    experiments();
    audit();
    commandLine();
    disable();
  }

  // ---- over HTTP -----------------------------------------------------------------------------

  private void unknownCallers() throws Exception {
    for (String path :
        List.of("/me", "/users", "/me/tokens", "/projects", "/projects/public", "/audit")) {
      expect(401, UNKNOWN, "GET", path, "");
    }
    expect(401, "Authorization: Bearer orrery_guessed", "GET", "/me", "");
    expect(401, "X-Forwarded-User: root", "GET", "/me", "");
    expect(401, UNKNOWN, "POST", "/session", "{\"user\":\"root\",\"password\":\"guessed it\"}");
    // The provider of this configuration is not there.
    expect(503, UNKNOWN, "GET", "/session/openid", "");
  }

  private void sessions() throws Exception {
    JsonNode me = get(root, "/me");
    assertThat(keys(me)).contains("user", "displayName", "role", "kind", "projects");
    assertThat(me.get("user").textValue()).isEqualTo("root");
    assertThat(me.get("role").textValue()).isEqualTo("admin");
    assertThat(me.get("projects").get(0).toString())
        .isEqualTo("{\"name\":\"public\",\"role\":\"member\"}");
    String service = signIn("{\"token\":\"" + SERVICE.text() + "\"}");
    for (int i = 0; i < servers.count(); i++) {
      assertThat(get(service, "/me").get("user").textValue()).isEqualTo("ci");
    }
    expect(204, service, "DELETE", "/session", "");
    expect(401, service, "GET", "/me", "");
    String other = signIn("{\"user\":\"root\",\"password\":\"" + PASSWORD + "\"}");
    get(other, "/me");
    expect(204, other, "DELETE", "/session", "");
    expect(401, other, "GET", "/me", "");
    get(root, "/me");
  }

  private void users() throws Exception {
    String dora = person("dora", "Dora D.");
    JsonNode me = get(dora, "/me");
    assertThat(me.get("displayName").textValue()).isEqualTo("Dora D.");
    assertThat(me.get("kind").textValue()).isEqualTo("person");
    JsonNode shown = get(root, "/users/dora");
    assertThat(keys(shown)).contains("name", "displayName", "mail", "role", "active");
    assertThat(shown.toString()).doesNotContain(PASSWORD, "argon2");
    assertThat(values(get(root, "/users"), "name")).contains("root", "dora");
    expect(403, dora, "POST", "/users", "{\"name\":\"eve\"}");
    expect(409, root, "POST", "/users", "{\"name\":\"dora\"}");
    expect(400, root, "POST", "/users", "{\"name\":\"D!\"}");
    expect(200, root, "POST", "/users?dryRun=true", "{\"name\":\"eve\"}");
    expect(404, root, "GET", "/users/eve", "");
    expect(201, root, "POST", "/users", "{\"name\":\"eve\",\"active\":false}");
    assertThat(get(root, "/users/eve").get("active").booleanValue()).isFalse();
    JsonNode changed =
        expect(200, root, "PATCH", "/users/dora", "{\"name\":\"dora\",\"role\":\"viewer\"}").json();
    assertThat(changed.get("role").textValue()).isEqualTo("viewer");
    expect(403, dora, "PUT", "/projects/doras", "{}");
    expect(400, root, "PATCH", "/users/dora", "{\"name\":\"dorothea\"}");
    Answer late =
        servers.curl(
            servers.url(),
            root,
            "PATCH",
            API + "/users/dora",
            "{\"role\":\"user\"}",
            "--header",
            "If-Match: \"1\"");
    assertThat(late.status()).as(late.body()).isEqualTo(409);
    assertThat(late.json().get("present").get("role").textValue()).isEqualTo("viewer");
    expect(204, root, "POST", "/users/dora/password", "{\"password\":\"four blue cups\"}");
    expect(401, dora, "GET", "/me", "");
    String again = signIn("{\"user\":\"dora\",\"password\":\"four blue cups\"}");
    expect(204, root, "DELETE", "/users/dora", "");
    expect(401, again, "GET", "/me", "");
    expect(204, root, "DELETE", "/users/eve", "");
    expect(404, root, "GET", "/users/dora", "");
  }

  private void tokens() throws Exception {
    String fay = person("fay", "Fay");
    expect(201, fay, "PUT", "/projects/fays", "{}");
    JsonNode made =
        expect(
                201,
                fay,
                "POST",
                "/me/tokens",
                "{\"name\":\"ci\",\"expiresAt\":\"2099-01-31T12:00:00Z\",\"scope\":\"read\","
                    + "\"projects\":[\"fays\"]}")
            .json();
    String bearer = "Authorization: Bearer " + made.get("token").textValue();
    JsonNode me = get(bearer, "/me");
    assertThat(me.get("kind").textValue()).isEqualTo("token");
    assertThat(me.get("projects")).hasSize(1);
    JsonNode listed = get(fay, "/me/tokens");
    assertThat(listed.get("items").get(0).toString())
        .contains("\"name\":\"ci\"", "2099-01-31T12:00:00", "\"scope\":\"read\"", "fays")
        .doesNotContain(made.get("token").textValue());
    expect(403, bearer, "PUT", "/projects/more", "{}");
    expect(400, fay, "POST", "/me/tokens", "{\"name\":\"x\",\"scope\":\"all\"}");
    JsonNode full = expect(201, fay, "POST", "/me/tokens", "{\"name\":\"full\"}").json();
    expect(
        403,
        "Authorization: Bearer " + full.get("token").textValue(),
        "POST",
        "/me/tokens",
        "{\"name\":\"more\"}");
    expect(204, fay, "DELETE", "/me/tokens/full", "");
    expect(204, fay, "DELETE", "/me/tokens/ci", "");
    expect(401, bearer, "GET", "/me", "");
    expect(404, fay, "DELETE", "/me/tokens/ci", "");
  }

  private void projects() throws Exception {
    ann = person("ann", "Ann");
    bob = person("bob", "Bob");
    String settings =
        """
        {"name": "vision", "title": "Vision", "settings": {"cluster": "dev",
         "node_selector": "zone=a", "volume_mount": "/data(hostpath):/data",
         "SERVICE_EXTERNAL_IP": "203.0.113.7", "org": "lab", "area": "north"}}
        """;
    expect(200, ann, "PUT", "/projects/vision?dryRun=true", settings);
    expect(404, ann, "GET", "/projects/vision", "");
    expect(201, ann, "PUT", "/projects/vision", settings);
    JsonNode shown = get(ann, "/projects/vision");
    assertThat(keys(shown))
        .contains("name", "title", "settings", "quota", "owner", "createdAt", "changedAt")
        .contains("revision");
    assertThat(keys(shown.get("settings")))
        .containsExactlyInAnyOrder(
            "cluster", "node_selector", "volume_mount", "SERVICE_EXTERNAL_IP", "org", "area");
    assertThat(shown.get("role").textValue()).isEqualTo("creator");
    assertThat(get(ann, "/me").get("projects").toString())
        .contains("{\"name\":\"vision\",\"role\":\"creator\"}");
    String quota =
        "{\"title\":\"Vision\",\"quota\":{\"cpu\":8,\"memory\":\"64G\",\"gpu\":2,\"notebooks\":3,"
            + "\"trials\":4,\"services\":5,\"member\":{\"gpu\":1}}}";
    expect(403, ann, "PUT", "/projects/vision", quota);
    expect(200, root, "PUT", "/projects/vision", quota);
    assertThat(keys(get(ann, "/projects/vision").get("quota")))
        .containsExactlyInAnyOrder(
            "cpu", "memory", "gpu", "notebooks", "trials", "services", "member");
    expect(404, bob, "GET", "/projects/vision", "");
    assertThat(values(get(bob, "/projects"), "name")).doesNotContain("vision");
    assertThat(values(get(ann, "/projects"), "name")).contains("public", "vision");
    expect(400, ann, "PUT", "/projects/wrong", "{\"settings\":{\"volume_mount\":\"nowhere\"}}");
    expect(201, ann, "PUT", "/projects/gone", "{}");
    expect(204, root, "DELETE", "/projects/gone", "");
    expect(404, ann, "GET", "/projects/gone", "");
  }

  private void membersAndRequests() throws Exception {
    expect(202, bob, "POST", "/projects/vision/join-requests", "{\"message\":\"let me in\"}");
    JsonNode asked = get(ann, "/projects/vision/join-requests");
    assertThat(values(asked, "user")).containsExactly("bob");
    assertThat(values(asked, "message")).containsExactly("let me in");
    expect(204, ann, "POST", "/projects/vision/join-requests/bob/refuse", "");
    expect(404, bob, "GET", "/projects/vision", "");
    expect(202, bob, "POST", "/projects/vision/join-requests", "{\"message\":\"please\"}");
    expect(204, ann, "POST", "/projects/vision/join-requests/bob/accept", "");
    assertThat(get(bob, "/projects/vision").get("role").textValue()).isEqualTo("member");
    expect(403, bob, "PUT", "/projects/vision/members/bob", "{\"role\":\"creator\"}");
    for (String role : List.of("creator", "ops", "viewer", "member")) {
      expect(200, ann, "PUT", "/projects/vision/members/bob", "{\"role\":\"" + role + "\"}");
      assertThat(get(ann, "/projects/vision/members").toString())
          .contains("\"user\":\"bob\"", "\"role\":\"" + role + "\"");
    }
    expect(400, ann, "PUT", "/projects/vision/members/bob", "{\"role\":\"boss\"}");
    expect(409, ann, "PUT", "/projects/vision/members/ann", "{\"role\":\"ops\"}");
    expect(204, ann, "DELETE", "/projects/vision/members/bob", "");
    expect(404, bob, "GET", "/projects/vision", "");
    expect(200, ann, "PUT", "/projects/vision/members/bob", "{\"role\":\"member\"}");
    get(bob, "/projects/vision");
  }

  private void usageAndSecrets() throws Exception {
    JsonNode usage = get(bob, "/projects/vision/usage");
    assertThat(keys(usage)).contains("used", "limits", "members");
    assertThat(usage.get("limits").get("gpu").intValue()).isEqualTo(2);
    expect(403, bob, "PUT", "/projects/vision/secrets/hub", "{\"value\":\"of the hub\"}");
    Answer set =
        expect(200, ann, "PUT", "/projects/vision/secrets/hub", "{\"value\":\"of the hub\"}");
    String shown = get(ann, "/projects/vision/secrets/hub").toString();
    assertThat(set.body() + shown + get(bob, "/projects/vision/secrets"))
        .contains("hub")
        .doesNotContain("of the hub");
    expect(204, ann, "DELETE", "/projects/vision/secrets/hub", "");
    expect(404, ann, "GET", "/projects/vision/secrets/hub", "");
  }

  private void experiments() throws Exception {
    String config = NumberedTrials.config(temp, 1, 1);
    expect(404, bob, "POST", "/experiments?project=fays", config);
    String asked =
        expect(201, bob, "POST", "/experiments?project=vision", config)
            .json()
            .get("id")
            .textValue();
    String written =
        expect(201, bob, "POST", "/experiments", "project: vision\n" + config)
            .json()
            .get("id")
            .textValue();
    JsonNode shown = get(ann, "/experiments/" + asked);
    assertThat(shown.get("project").textValue()).isEqualTo("vision");
    assertThat(shown.get("owner").textValue()).isEqualTo("bob");
    assertThat(values(get(ann, "/experiments?project=vision&owner=bob"), "id"))
        .contains(asked, written);
    String fay = signIn("{\"user\":\"fay\",\"password\":\"" + PASSWORD + "\"}");
    expect(404, fay, "GET", "/experiments/" + asked, "");
    assertThat(values(get(fay, "/experiments"), "id")).isEmpty();
  }

  private void audit() throws Exception {
    expect(403, ann, "GET", "/audit", "");
    JsonNode all = get(root, "/audit?limit=1000");
    List<String> times = values(all, "at");
    assertThat(times).isSortedAccordingTo((one, other) -> other.compareTo(one));
    assertThat(all.toString()).doesNotContain(PASSWORD, "of the hub", SERVICE.text());
    String wanted = "/audit?user=ann&kind=member&project=vision&limit=1000";
    assertThat(values(get(root, wanted), "user")).isNotEmpty().containsOnly("ann");
    assertThat(values(get(root, wanted + "&to=2020-01-01T00:00:00Z"), "at")).isEmpty();
    assertThat(values(get(root, wanted + "&from=2020-01-01T00:00:00Z"), "kind"))
        .containsOnly("member");
    assertThat(values(get(root, "/audit?kind=user&name=dora"), "action"))
        .contains("create", "change", "delete");
  }

  // ---- by the command line -------------------------------------------------------------------

  private Ended done(String person, String typed, String... arguments) throws Exception {
    Ended ended = servers.orrery(person, typed, arguments);
    assertThat(ended.code()).as(List.of(arguments) + ended.out() + ended.err()).isZero();
    return ended;
  }

  private String[] inTurn(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    if (servers.count() > 1) {
      // One login is for one server; a personal token is good for all.
      all.addAll(List.of("--server", servers.url(), "--token", token));
    }
    return all.toArray(String[]::new);
  }

  private void commandLine() throws Exception {
    done("root", PASSWORD + "\n", "login", "--user", "root", "--password-stdin", servers.url());
    token =
        done("root", PASSWORD + "\n", "token", "create", "cli", "--password-stdin").out().strip();
    assertThat(done("root", "", inTurn("whoami", "--json")).json().get("user").textValue())
        .isEqualTo("root");
    assertThat(done("root", "", inTurn("token", "list")).out()).contains("cli");
    JsonNode added = done("root", "", inTurn("user", "add", "gus", "--json")).json();
    setUp(added.get("setupCode").textValue(), "gus");
    done("root", "", inTurn("user", "change", "gus", "--display-name", "Gus", "--role", "viewer"));
    assertThat(done("root", "", inTurn("user", "list")).out()).contains("gus", "Gus", "viewer");
    done("root", "four blue cups\n", inTurn("user", "password", "gus", "--password-stdin"));
    signIn("{\"user\":\"gus\",\"password\":\"four blue cups\"}");
    done("root", "", inTurn("project", "create", "speech", "--title", "Speech"));
    assertThat(done("root", "", inTurn("project", "list")).out()).contains("speech", "creator");
    assertThat(done("root", "", inTurn("project", "show", "speech", "--json")).out())
        .contains("\"Speech\"");
    assertThat(
            done(
                    "root",
                    "",
                    inTurn("project", "members", "speech", "--add", "gus", "--role", "ops"))
                .out())
        .contains("gus", "ops");
    assertThat(done("root", "", inTurn("project", "usage", "vision")).out()).contains("64");
    done("root", "of the hub\n", inTurn("project", "secret", "speech", "hub", "--set"));
    assertThat(done("root", "", inTurn("project", "secret", "speech")).out())
        .contains("hub")
        .doesNotContain("of the hub");
    Path file = Files.writeString(temp.resolve("e.yml"), NumberedTrials.config(temp, 1, 1));
    String id =
        done("root", "", inTurn("experiment", "create", file.toString(), "--project", "speech"))
            .out()
            .strip();
    assertThat(get(root, "/experiments/" + id).get("project").textValue()).isEqualTo("speech");
    assertThat(done("root", "", inTurn("audit", "--kind", "user", "--name", "gus")).out())
        .contains("create", "change");
    assertThat(servers.orrery("root", "", inTurn("user", "add", "G!")).code()).isEqualTo(2);
    done("root", "", "token", "revoke", "cli");
    token = "";
    done("root", "", "logout");
    assertThat(servers.orrery("root", "", "whoami", "--server", servers.url()).code()).isEqualTo(1);
  }

  /** Disables a user by the command line while every server is asked as that user. */
  private void disable() throws Exception {
    done("root", PASSWORD + "\n", "login", "--user", "root", "--password-stdin", servers.url());
    Map<Integer, Instant> lastSent = new ConcurrentHashMap<>();
    List<Thread> asking = new ArrayList<>();
    for (int i = 0; i < servers.count(); i++) {
      int server = i;
      lastSent.put(server, Instant.EPOCH);
      asking.add(Thread.ofVirtual().start(() -> askUntilOut(server, lastSent)));
    }
    await().until(() -> lastSent.values().stream().noneMatch(Instant.EPOCH::equals));
    done("root", "", "user", "disable", "bob");
    for (Thread each : asking) {
      assertThat(each.join(Duration.ofSeconds(30))).isTrue();
    }
    Instant disabled =
        Instant.parse(
            get(root, "/audit?kind=user&name=bob&limit=1")
                .get("items")
                .get(0)
                .get("at")
                .textValue());
    assertThat(lastSent.values())
        .allSatisfy(sent ->
            assertThat(Duration.between(disabled, sent).toMillis())
                .isLessThanOrEqualTo(MOST_MILLIS));
    for (int i = 0; i < servers.count(); i++) {
      assertThat(servers.curl(servers.url(i), bob, "GET", API + "/me", "").status()).isEqualTo(401);
    }
  }

  private void askUntilOut(int server, Map<Integer, Instant> lastSent) {
    try {
      Instant sent = Instant.now();
      while (servers.curl(servers.url(server), bob, "GET", API + "/me", "").status() == 200) {
        lastSent.put(server, sent);
        sent = Instant.now();
      }
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
