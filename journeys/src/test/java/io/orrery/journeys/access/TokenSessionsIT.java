package io.orrery.journeys.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.auth.BearerToken;
import io.orrery.core.sql.PostgresServer;
import io.orrery.journeys.ServerProcess;
import io.orrery.journeys.ServerUsers;
import io.orrery.journeys.ServerUsers.Person;
import io.orrery.journeys.ServersTogether;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Uses sessions that tokens of the configuration began, on servers without accounts. */
@Timeout(300)
class TokenSessionsIT {
  private static final int LEASE_SECONDS = 6;
  private static final BearerToken CI = new BearerToken("orrery_the-token-of-ci");
  private static final BearerToken WALL = new BearerToken("orrery_the-token-of-the-wall");
  private static final String BOTH =
      "auth: {tokens: [{name: ci, role: admin, sha256: %s}, {name: wall, role: viewer, sha256: %s}]}"
          .formatted(CI.sha256(), WALL.sha256());
  private static final String WALL_ALONE =
      "auth: {tokens: [{name: wall, role: viewer, sha256: %s}]}".formatted(WALL.sha256());

  @TempDir Path temp;

  @Test
  void aSessionIsKnownToAllServersAndEndsOnAll() throws Exception {
    ServersTogether servers =
        new ServersTogether(temp, PostgresServer.newDatabase(), 2, LEASE_SECONDS);
    try (ServerProcess first = servers.begin("first", 0, BOTH);
        ServerProcess second = servers.begin("second", 1, BOTH);
        ServerUsers atFirst = new ServerUsers(first.ready());
        ServerUsers atSecond = new ServerUsers(second.ready())) {
      Person ci = atFirst.signIn("ci", CI);
      Person wall = atFirst.signIn("wall", WALL);

      assertThat(atSecond.get(ci, "/api/v1/me").json().get("user").textValue()).isEqualTo("ci");
      assertThat(atSecond.get(ci, "/api/v1/logs").status()).isEqualTo(200);
      assertThat(atSecond.get(wall, "/api/v1/experiments").status()).isEqualTo(200);
      assertThat(atSecond.send(wall, "POST", "/api/v1/experiments", "{}").status()).isEqualTo(403);

      assertThat(atSecond.send(ci, "DELETE", "/api/v1/session", "").status()).isEqualTo(204);

      assertThat(atSecond.get(ci, "/api/v1/me").status()).isEqualTo(401);
      ServersTogether.await("the end", () -> atFirst.get(ci, "/api/v1/me").status() == 401);
      assertThat(atFirst.get(wall, "/api/v1/me").status()).isEqualTo(200);
    }
  }

  @Test
  void aSessionSurvivesARestartAndNotTheRemovalOfItsToken() throws Exception {
    ServersTogether servers =
        new ServersTogether(temp, PostgresServer.newDatabase(), 2, LEASE_SECONDS);
    Person ci;
    Person wall;
    try (ServerProcess first = servers.begin("first", 0, BOTH).ready();
        ServerUsers atFirst = new ServerUsers(first)) {
      ci = atFirst.signIn("ci", CI);
      wall = atFirst.signIn("wall", WALL);
      first.kill();
    }
    try (ServerProcess first = servers.begin("first", 0, BOTH);
        ServerProcess second = servers.begin("second", 1, WALL_ALONE);
        ServerUsers atFirst = new ServerUsers(first.ready());
        ServerUsers atSecond = new ServerUsers(second.ready())) {
      assertThat(atFirst.get(ci, "/api/v1/me").status()).isEqualTo(200);
      assertThat(atFirst.get(wall, "/api/v1/me").status()).isEqualTo(200);
      assertThat(atSecond.get(wall, "/api/v1/me").status()).isEqualTo(200);
      assertThat(atSecond.get(ci, "/api/v1/me").status()).isEqualTo(401);
    }
  }
}
