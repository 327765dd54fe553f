package io.orrery.journeys.router;

import static io.orrery.journeys.ServersTogether.signal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.orrery.core.sql.PostgresServer;
import io.orrery.journeys.ServerProcess;
import io.orrery.journeys.ServerUsers;
import io.orrery.journeys.ServersTogether;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Starts two servers, and asks each for the routes of the other and for what its checks find. */
@Timeout(300)
class RoutesTogetherIT {
  private static final int LEASE_SECONDS = 6;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @TempDir static Path temp;
  private static String database;
  private static ServerProcess first;
  private static ServerProcess second;

  @BeforeAll
  @Timeout(300)
  static void begin() throws Exception {
    database = PostgresServer.newDatabase();
    ServersTogether servers = new ServersTogether(temp, database, 2, LEASE_SECONDS);
    // Kept before they are ready, so that one that does not become so is ended as well.
    first = servers.begin("first", 0, "", "--router-port", "0");
    second = servers.begin("second", 1, "", "--router-port", "0");
    first.ready(ServersTogether.PATIENCE);
    second.ready(ServersTogether.PATIENCE);
  }

  @AfterAll
  static void end() throws Exception {
    for (ServerProcess server : new ServerProcess[] {first, second}) {
      if (server != null) {
        server.close();
      }
    }
  }

  @Test
  void aChangeOfTheStoredLayerReachesTheRoutersOfAllServers() throws Exception {
    try (ServerUsers user = new ServerUsers(first)) {
      user.moveTo(second);
      await()
          .atMost(PATIENCE)
          .until(() ->
              user.send(null, "PUT", "/api/v1/routes", "services: [{name: mine}]").status() == 200);

      // As a server stores it whose hint does not arrive.
      PostgresServer.tell(
          database,
          "update route_layers set revision = revision + 1,"
              + " document = 'services: [{name: model}]' where layer = 'studio'");

      for (ServerProcess each : List.of(first, second)) {
        user.moveTo(each);
        await()
            .atMost(PATIENCE)
            .until(() -> layers(user).findValuesAsText("layer").contains("studio"));
      }
      assertThat(layers(user).findValuesAsText("name")).containsExactly("mine", "model");
      ServerUsers.Reply conflict =
          user.send(null, "PUT", "/api/v1/routes", "services: [{name: model}]");
      assertThat(conflict.status()).isEqualTo(409);
      assertThat(conflict.body()).contains("layer studio");
    }
  }

  private static JsonNode layers(ServerUsers user) throws Exception {
    return user.get(null, "/api/v1/routes").json().path("services");
  }

  /** It comes back as another member, and tells what it finds under the new id. */
  @Test
  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  void theStatusOfEachShowsWhatTheOtherHasFoundAndSinceWhenItIsSilent() throws Exception {
    await().atMost(PATIENCE).until(() -> found(first, second, "disk").path("state").isTextual());
    await().atMost(PATIENCE).until(() -> found(second, first, "disk").path("state").isTextual());
    assertThat(found(first, second, "sandbox").path("checkedAt").asText()).isNotEmpty();
    assertThat(found(first, second, "schema").isMissingNode())
        .as("what is of all is said once")
        .isTrue();

    signal(second, "STOP");
    try {
      await()
          .atMost(PATIENCE)
          .until(() ->
              found(first, second, "server")
                  .path("found")
                  .asText()
                  .startsWith("not heard from since 20"));
      await()
          .atMost(PATIENCE)
          .until(() ->
              found(first, second, "server").path("found").asText().contains("no member any more"));
    } finally {
      signal(second, "CONT");
    }
    await()
        .atMost(PATIENCE)
        .until(() ->
            found(first, second, "server").isMissingNode()
                && found(first, second, "disk").path("state").isTextual());
  }

  /** What one server says that another has found; missing when it says nothing. */
  private static JsonNode found(ServerProcess asked, ServerProcess other, String check)
      throws Exception {
    return StreamSupport.stream(asked.get("/status").path("checks").spliterator(), false)
        .filter(each ->
            each.path("name").asText().equals(check)
                && each.path("server").path("url").asText().equals(other.url().toString()))
        .findFirst()
        .orElse(MissingNode.getInstance());
  }
}
