package io.orrery.gateway.journey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.sql.PostgresServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The layer of the route table that the store has, at the routers of two servers. */
class RoutesTogetherIT {
  private static final int LEASE_SECONDS = 6;

  @TempDir Path temp;

  @Test
  void aChangeOfTheStoredLayerReachesTheRoutersOfAllServers() throws Exception {
    String database = PostgresServer.newDatabase();
    ServersTogether servers = new ServersTogether(temp, database, 2, LEASE_SECONDS);
    try (ServerProcess first = servers.begin("first", 0, "", "--router-port", "0").ready();
        ServerProcess second = servers.begin("second", 1, "", "--router-port", "0").ready();
        ServerUsers user = new ServerUsers(first)) {
      user.moveTo(second);
      await()
          .atMost(Duration.ofSeconds(30))
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
            .atMost(Duration.ofSeconds(30))
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
}
