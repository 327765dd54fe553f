package io.orrery.journeys.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orrery.core.sql.PostgresServer;
import io.orrery.journeys.ServerProcess;
import io.orrery.journeys.ServerUsers;
import io.orrery.journeys.ServerUsers.Person;
import io.orrery.journeys.ServersTogether;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Uses accounts on servers that share a PostgreSQL database. */
@Timeout(300)
class PeopleTogetherIT {
  private static final String USERS = "auth: {users: true, sandbox: none}";
  private static final int LEASE_SECONDS = 6;
  private static final long MOST_MILLIS = 1_000;
  private static final int ROUNDS = 6;

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

        assertThat(millisUntilOut(atSecond, bob)).isLessThanOrEqualTo(MOST_MILLIS);
        assertThat(atFirst.get(bob, "/api/v1/me").status()).isEqualTo(401);
      }
    }
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void threeServersNeverDisagreeForMoreThanASecondAboutAUserWhoIsOut() throws Exception {
    ServersTogether servers =
        new ServersTogether(temp, PostgresServer.newDatabase(), 3, LEASE_SECONDS);
    try (ServerProcess first = servers.begin("first", 0, USERS).ready();
        ServerUsers atFirst = new ServerUsers(first)) {
      Person root = atFirst.administrator();
      Person bob = atFirst.user(root, "bob");
      try (ServerProcess second = servers.begin("second", 1, USERS).ready();
          ServerProcess third = servers.begin("third", 2, USERS).ready();
          ServerUsers atSecond = new ServerUsers(second);
          ServerUsers atThird = new ServerUsers(third)) {
        List<ServerUsers> all = List.of(atFirst, atSecond, atThird);
        for (int round = 0; round < ROUNDS; round++) {
          Person present = bob;
          ServerUsers disabling = all.get(round % all.size());
          ServerUsers seeing = all.get((round + 1) % all.size());
          await()
              .atMost(Duration.ofSeconds(10))
              .until(() -> seeing.get(present, "/api/v1/me").status() == 200);
          assertThat(
                  disabling.send(root, "PATCH", "/api/v1/users/bob", "{\"active\":false}").status())
              .isEqualTo(200);

          assertThat(millisUntilOut(seeing, present))
              .as("%d", round)
              .isLessThanOrEqualTo(MOST_MILLIS);

          assertThat(
                  disabling.send(root, "PATCH", "/api/v1/users/bob", "{\"active\":true}").status())
              .isEqualTo(200);
          bob = seeing.signIn("bob");
        }
      }
    }
  }

  /**
   * The time from now at which the last request was sent that a user who has just been disabled was
   * answered.
   */
  private static long millisUntilOut(ServerUsers server, Person user) throws Exception {
    long disabled = System.nanoTime();
    long last = disabled;
    long sent = System.nanoTime();
    while (server.get(user, "/api/v1/me").status() != 401) {
      last = sent;
      sent = System.nanoTime();
    }
    return (last - disabled) / 1_000_000;
  }
}
