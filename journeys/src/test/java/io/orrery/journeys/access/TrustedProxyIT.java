package io.orrery.journeys.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orrery.core.json.Json;
import io.orrery.journeys.ServerProcess;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lets a proxy name users in a header. */
class TrustedProxyIT {
  private static final String ME = "/api/v1/me";

  @TempDir Path temp;
  private final HttpClient http = HttpClient.newHttpClient();
  private ServerProcess server;

  @AfterEach
  void stop() {
    if (server != null) {
      server.close();
    }
    http.close();
  }

  private void start(String from) throws Exception {
    Path home = temp.toAbsolutePath().resolve("home");
    Files.createDirectories(home);
    Files.writeString(
        home.resolve("orrery.yml"),
        "auth: {sandbox: none, trustedProxy: {header: X-Forwarded-User, from: [%s]}}\n"
            .formatted(from));
    server = ServerProcess.start(home);
  }

  private HttpResponse<String> send(String method, String path, String body, String... headers)
      throws Exception {
    URI address = server.url().resolve(path);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(address)
            .timeout(Duration.ofSeconds(30))
            .method(method, BodyPublishers.ofString(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return http.send(request.build(), BodyHandlers.ofString());
  }

  private HttpResponse<String> get(String path, String... headers) throws Exception {
    return send("GET", path, "", headers);
  }

  private String admin() throws Exception {
    return Json.parse(Files.readString(server.home().resolve("server.json")))
        .get("token")
        .textValue();
  }

  @Test
  void aUserWhomTheProxyNamesHasAnAccountFromTheFirstRequestOn() throws Exception {
    start("127.0.0.1");

    HttpResponse<String> me = get(ME, "X-Forwarded-User", "ann");
    assertThat(me.statusCode()).as(me.body()).isEqualTo(200);
    assertThat(Json.parse(me.body()).get("user").textValue()).isEqualTo("ann");
    assertThat(Json.parse(me.body()).get("role").textValue()).isEqualTo("user");
    assertThat(send("PUT", "/api/v1/projects/vision", "{}", "X-Forwarded-User", "ann").statusCode())
        .isEqualTo(201);
    assertThat(get("/api/v1/projects/vision", "X-Forwarded-User", "bob").statusCode())
        .isEqualTo(404);
    assertThat(get(ME).statusCode()).isEqualTo(401);

    String bearer = "Bearer " + admin();
    assertThat(
            send("PATCH", "/api/v1/users/ann", "{\"active\": false}", "Authorization", bearer)
                .statusCode())
        .isEqualTo(200);
    await()
        .atMost(Duration.ofSeconds(2))
        .untilAsserted(
            () -> assertThat(get(ME, "X-Forwarded-User", "ann").statusCode()).isEqualTo(403));
  }

  @Test
  void aHeaderThatIsNoUserNameOrStandsTwiceIsRefused() throws Exception {
    start("127.0.0.1");

    assertThat(get(ME, "X-Forwarded-User", "Ann Smith").statusCode()).isEqualTo(403);
    assertThat(get(ME, "X-Forwarded-User", "ann", "X-Forwarded-User", "bob").statusCode())
        .isEqualTo(403);
  }

  @Test
  void aHeaderFromElsewhereIsNothing() throws Exception {
    start("10.0.0.0/8, 127.0.0.0/8");

    assertThat(get(ME, "X-Forwarded-User", "ann").statusCode()).isEqualTo(401);
    HttpResponse<String> users =
        get("/api/v1/users", "X-Forwarded-User", "ann", "Authorization", "Bearer " + admin());
    assertThat(users.statusCode()).isEqualTo(200);
    assertThat(users.body()).doesNotContain("ann");
  }
}
