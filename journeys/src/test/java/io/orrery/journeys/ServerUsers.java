package io.orrery.journeys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.auth.BearerToken;
import io.orrery.core.json.Json;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The users of a server, as they talk to it over HTTP. */
public final class ServerUsers implements AutoCloseable {
  public static final String PASSWORD = "three red boats";

  private static final Pattern CODE = Pattern.compile("with the code (orrery_[A-Za-z0-9_-]+)");

  private final HttpClient http = HttpClient.newHttpClient();
  private ServerProcess server;

  /** A person with a session. */
  public record Person(String name, String cookie) {}

  /**
   * An answer of the server.
   *
   * @param tag the {@code ETag}; empty when there is none
   */
  public record Reply(int status, String body, String tag) {
    public JsonNode json() {
      return Json.parse(body);
    }
  }

  public ServerUsers(ServerProcess server) {
    this.server = server;
  }

  /** Talks to another server from now on. */
  public void moveTo(ServerProcess other) {
    server = other;
  }

  public Reply send(Person person, String method, String path, String body, String... headers)
      throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(server.url().resolve(path))
            .timeout(Duration.ofSeconds(30))
            .method(method, BodyPublishers.ofString(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    if (person != null) {
      request.header("Cookie", person.cookie());
    }
    HttpResponse<String> answer = http.send(request.build(), BodyHandlers.ofString());
    return new Reply(
        answer.statusCode(), answer.body(), answer.headers().firstValue("ETag").orElse(""));
  }

  public Reply get(Person person, String path) throws Exception {
    return send(person, "GET", path, "");
  }

  public Person signIn(String name) throws Exception {
    return begin(name, "{\"user\":\"%s\",\"password\":\"%s\"}".formatted(name, PASSWORD));
  }

  /** A session that a token begins. */
  public Person signIn(String name, BearerToken token) throws Exception {
    return begin(name, "{\"token\":\"" + token.text() + "\"}");
  }

  private Person begin(String name, String shown) throws Exception {
    HttpResponse<String> answer =
        http.send(
            HttpRequest.newBuilder(server.url().resolve("/api/v1/session"))
                .POST(BodyPublishers.ofString(shown))
                .build(),
            BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(204);
    String cookie = answer.headers().firstValue("Set-Cookie").orElseThrow();
    assertThat(cookie).contains("HTTPOnly").contains("SameSite=Strict");
    return new Person(name, cookie.substring(0, cookie.indexOf(';')));
  }

  public Person administrator() throws Exception {
    await().untilAsserted(() -> assertThat(server.log()).containsPattern(CODE));
    Matcher code = CODE.matcher(server.log());
    assertThat(code.find()).isTrue();
    setUp(code.group(1), "root");
    return signIn("root");
  }

  public void setUp(String code, String name) throws Exception {
    Reply set =
        send(
            null,
            "POST",
            "/api/v1/session/setup",
            "{\"code\":\"%s\",\"user\":\"%s\",\"password\":\"%s\"}"
                .formatted(code, name, PASSWORD));
    assertThat(set.status()).as(set.body()).isEqualTo(200);
  }

  public Person user(Person admin, String name) throws Exception {
    Reply created = send(admin, "POST", "/api/v1/users", "{\"name\":\"" + name + "\"}");
    assertThat(created.status()).as(created.body()).isEqualTo(201);
    setUp(created.json().get("setupCode").textValue(), name);
    return signIn(name);
  }

  @Override
  public void close() {
    http.close();
  }
}
