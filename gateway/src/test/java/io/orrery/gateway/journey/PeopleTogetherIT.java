package io.orrery.gateway.journey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orrery.core.sql.PostgresServer;
import io.orrery.gateway.journey.ServerUsers.Person;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Uses accounts on two servers that share a PostgreSQL database. */
class PeopleTogetherIT {
  private static final String USERS = "auth: {users: true, sandbox: none}";
  private static final int LEASE_SECONDS = 6;

  @TempDir Path temp;

  @Test
  void aSessionIsKnownToAllServersAndADisabledUserIsOutOnAll() throws Exception {
    ServersTogether servers =
        new ServersTogether(temp, PostgresServer.newDatabase(), 2, LEASE_SECONDS);
    // One after the other: each start without an account replaces the code of the first.
    try (ServerProcess first = servers.begin("first", 0, USERS).ready();
        ServerUsers atFirst = new ServerUsers(first)) {
      Person root = atFirst.administrator();
      Person bob = atFirst.user(root, "bob");
      try (ServerProcess second = servers.begin("second", 1, USERS).ready();
          ServerUsers atSecond = new ServerUsers(second)) {
        assertThat(second.log()).doesNotContain("with the code");
        assertThat(atSecond.get(bob, "/api/v1/me").json().get("user").textValue()).isEqualTo("bob");
        assertThat(atFirst.send(root, "PUT", "/api/v1/projects/vision", "{}").status())
            .isEqualTo(201);
        assertThat(
                atFirst
                    .send(root, "PUT", "/api/v1/projects/vision/members/bob", "{\"role\":\"ops\"}")
                    .status())
            .isEqualTo(200);
        await()
            .atMost(Duration.ofSeconds(10))
            .until(() -> atSecond.get(bob, "/api/v1/projects/vision").status() == 200);

        assertThat(atFirst.send(root, "PATCH", "/api/v1/users/bob", "{\"active\":false}").status())
            .isEqualTo(200);

        await()
            .atMost(Duration.ofSeconds(10))
            .until(() -> atSecond.get(bob, "/api/v1/me").status() == 401);
      }
    }
  }
}
