package io.orrery.journeys.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.auth.BearerToken;
import io.orrery.core.sql.PostgresServer;
import io.orrery.journeys.ServerProcess;
import io.orrery.journeys.ServerUsers;
import io.orrery.journeys.ServerUsers.Person;
import io.orrery.journeys.ServerUsers.Reply;
import io.orrery.journeys.ServersTogether;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Keeps event streams and WebSockets open whose callers lose what they were opened by. */
@Timeout(300)
class StreamsEndIT {
  private static final BearerToken CI = new BearerToken("orrery_the-token-of-ci");
  private static final String BOTH =
      "auth: {users: true, sandbox: none, tokens: [{name: ci, role: admin, sha256: %s}]}\n"
          .formatted(CI.sha256());
  private static final int LEASE_SECONDS = 6;
  private static final int ROUNDS = 3;
  private static final long MOST_MILLIS = 1_000;
  private static final Duration LIFE = Duration.ofSeconds(20);

  @TempDir Path temp;
  private final HttpClient http = HttpClient.newHttpClient();

  @AfterEach
  void stop() {
    http.close();
  }

  private OpenStream events(URI server, Person person) throws Exception {
    return OpenStream.events(http, server, "Cookie", person.cookie());
  }

  private OpenStream events(URI server, BearerToken token) throws Exception {
    return OpenStream.events(http, server, "Authorization", "Bearer " + token.text());
  }

  private OpenStream shell(URI server, Person person) {
    return OpenStream.socket(
        http, server, "/api/v1/workloads/service-shelled/shell", person.cookie());
  }

  /** Has a person run a service, whose replica shells are opened in. */
  private static void runService(ServerUsers users, Person person) throws Exception {
    String service = "{\"command\": \"exec sleep 1000\", \"stage\": \"production\"}";
    assertThat(users.send(person, "PUT", "/api/v1/services/shelled", service).status())
        .isEqualTo(201);
    ServersTogether.await(
        "the service",
        () ->
            users
                .get(person, "/api/v1/services/shelled")
                .json()
                .at("/state/status")
                .asText()
                .equals("READY"));
  }

  private static BearerToken token(ServerUsers users, Person person, String body) throws Exception {
    Reply made = users.send(person, "POST", "/api/v1/me/tokens", body);
    assertThat(made.status()).as(made.body()).isEqualTo(201);
    return new BearerToken(made.json().get("token").textValue());
  }

  @Test
  void streamsEndWithTheSessionOrTokenThatTheyWereOpenedBy() throws Exception {
    Path home = Files.createDirectories(temp.toAbsolutePath().resolve("home"));
    Files.writeString(home.resolve("orrery.yml"), BOTH);
    try (ServerProcess server = ServerProcess.start(home);
        ServerUsers users = new ServerUsers(server)) {
      URI url = server.url();
      Person root = users.administrator();
      runService(users, root);
      OpenStream stays = events(url, root);
      OpenStream service = events(url, CI);

      Person ci = users.signIn("ci", CI);
      OpenStream ofService = events(url, ci);
      assertThat(users.send(ci, "DELETE", "/api/v1/session", "").status()).isEqualTo(204);
      ofService.end();

      BearerToken revoked = token(users, root, "{\"name\": \"revoked\"}");
      OpenStream byToken = events(url, revoked);
      OpenStream bySession = events(url, users.signIn("root", revoked));
      assertThat(users.send(root, "DELETE", "/api/v1/me/tokens/revoked", "").status())
          .isEqualTo(204);
      byToken.end();
      bySession.end();

      Instant until = Instant.now().plus(LIFE);
      BearerToken brief =
          token(users, root, "{\"name\": \"brief\", \"expiresAt\": \"" + until + "\"}");
      OpenStream byBrief = events(url, brief);
      OpenStream bySessionOfBrief = events(url, users.signIn("root", brief));
      OpenStream shellOfBrief = shell(url, users.signIn("root", brief));
      OpenStream shellStays = shell(url, root);
      assertThat(byBrief.end()).isAfterOrEqualTo(until.minusMillis(1));
      assertThat(bySessionOfBrief.end()).isAfterOrEqualTo(until.minusMillis(1));
      assertThat(shellOfBrief.end()).isAfterOrEqualTo(until.minusMillis(1));

      assertThat(stays.isOpen()).isTrue();
      assertThat(service.isOpen()).isTrue();
      assertThat(shellStays.isOpen()).isTrue();
    }
  }

  /** The least of several rounds counts: on a busy machine it is read late that a stream ended. */
  @Test
  void theStreamsOfADisabledUserEndWithinASecondOnAnotherServerOfTheDatabase() throws Exception {
    ServersTogether servers =
        new ServersTogether(temp, PostgresServer.newDatabase(), 2, LEASE_SECONDS);
    try (ServerProcess first = servers.begin("first", 0, BOTH).ready();
        ServerUsers atFirst = new ServerUsers(first)) {
      Person root = atFirst.administrator();
      Person bob = atFirst.user(root, "bob");
      runService(atFirst, bob);
      try (ServerProcess second = servers.begin("second", 1, BOTH).ready();
          ServerUsers atSecond = new ServerUsers(second)) {
        ServersTogether.await(
            "the service",
            () ->
                atSecond
                    .get(root, "/api/v1/services/shelled")
                    .json()
                    .at("/state/status")
                    .asText()
                    .equals("READY"));
        List<Long> events = new ArrayList<>();
        List<Long> sockets = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
          OpenStream stream = events(second.url(), bob);
          OpenStream socket = shell(second.url(), bob);
          OpenStream stays = events(second.url(), root);
          assertThat(stream.isOpen() && socket.isOpen()).isTrue();

          assertThat(active(atFirst, root, false)).isEqualTo(200);
          Instant disabled = Instant.now();
          events.add(Duration.between(disabled, stream.end()).toMillis());
          sockets.add(Duration.between(disabled, socket.end()).toMillis());
          assertThat(stays.isOpen()).isTrue();

          assertThat(active(atFirst, root, true)).isEqualTo(200);
          bob = atFirst.signIn("bob");
          Person again = bob;
          ServersTogether.await("bob", () -> atSecond.get(again, "/api/v1/me").status() == 200);
        }
        assertThat(events).anyMatch(millis -> millis <= MOST_MILLIS);
        assertThat(sockets).anyMatch(millis -> millis <= MOST_MILLIS);
      }
    }
  }

  private static int active(ServerUsers users, Person root, boolean active) throws Exception {
    return users.send(root, "PATCH", "/api/v1/users/bob", "{\"active\": " + active + "}").status();
  }
}
