package io.orrery.journeys.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.auth.BearerToken;
import io.orrery.journeys.access.NamedServers.Answer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** The requests of {@link PeopleListIT}, and the people who make them. */
abstract class PeopleList {
  static final String PASSWORD = "three red boats";
  static final String API = "/api/v1";
  static final String UNKNOWN = "";

  static final BearerToken SERVICE = new BearerToken("orrery_the-token-of-ci");
  static final String AUTH =
      """
      auth:
        users: true
        sandbox: none
        openId: {issuer: 'http://127.0.0.1:1', clientId: orrery}
        trustedProxy: {header: X-Forwarded-User, from: [10.255.255.0/24]}
        tokens: [{name: ci, role: viewer, sha256: %s}]
      """
          .formatted(SERVICE.sha256());

  /** How long after a change on one server another one may not know of it. */
  static final long MOST_MILLIS = 1_000;

  private static final Pattern CODE = Pattern.compile("with the code (orrery_[A-Za-z0-9_-]+)");
  private static final Pattern COOKIE =
      Pattern.compile("(?im)^set-cookie: ([^;=]+=[^;\\r\\n]+)([^\\r\\n]*)");

  @TempDir Path temp;
  NamedServers servers;
  String root;

  @AfterEach
  void stop() {
    if (servers != null) {
      servers.close();
    }
  }

  /** Asks until the status is what it has to be: others hear of a change a bit later. */
  final Answer expect(int status, String as, String method, String path, String body)
      throws Exception {
    Answer answer = servers.curl(as, method, API + path, body);
    for (Instant end = Instant.now().plusMillis(MOST_MILLIS);
        answer.status() != status && servers.count() > 1 && Instant.now().isBefore(end); ) {
      answer = servers.curl(as, method, API + path, body);
    }
    assertThat(answer.status()).as(method + " " + path + ": " + answer.body()).isEqualTo(status);
    return answer;
  }

  final JsonNode get(String as, String path) throws Exception {
    return expect(200, as, "GET", path, "").json();
  }

  static List<String> values(JsonNode page, String key) {
    return page.get("items").valueStream().map(item -> item.get(key).asText()).toList();
  }

  static List<String> keys(JsonNode object) {
    return object.propertyStream().map(Map.Entry::getKey).toList();
  }

  final void setUpRoot(NamedServers started) throws Exception {
    servers = started;
    await().untilAsserted(() -> assertThat(started.first().log()).containsPattern(CODE));
    Matcher code = CODE.matcher(started.first().log());
    assertThat(code.find()).isTrue();
    setUp(code.group(1), "root");
    root = signIn("{\"user\":\"root\",\"password\":\"" + PASSWORD + "\"}");
  }

  final void setUp(String code, String user) throws Exception {
    expect(
        200,
        UNKNOWN,
        "POST",
        "/session/setup",
        "{\"code\":\"%s\",\"user\":\"%s\",\"password\":\"%s\"}".formatted(code, user, PASSWORD));
  }

  /** The header with the cookie of a new session. */
  final String signIn(String body) throws Exception {
    Answer answer =
        servers.curl(servers.url(), UNKNOWN, "POST", API + "/session", body, "--include");
    assertThat(answer.status()).as(answer.body()).isEqualTo(204);
    Matcher cookie = COOKIE.matcher(answer.body());
    assertThat(cookie.find()).as(answer.body()).isTrue();
    assertThat(cookie.group(2)).contains("HTTPOnly", "Secure", "SameSite=Strict");
    return "Cookie: " + cookie.group(1);
  }

  final String person(String name, String displayName) throws Exception {
    Answer created =
        expect(
            201,
            root,
            "POST",
            "/users",
            ("{\"name\":\"%s\",\"displayName\":\"%s\",\"mail\":\"%s@example.com\",\"role\":\"user\","
                    + "\"active\":true}")
                .formatted(name, displayName, name));
    setUp(created.json().get("setupCode").textValue(), name);
    return signIn("{\"user\":\"%s\",\"password\":\"%s\"}".formatted(name, PASSWORD));
  }
}
