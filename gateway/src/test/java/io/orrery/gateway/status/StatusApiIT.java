package io.orrery.gateway.status;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.access.Caller;
import io.orrery.core.access.UserRole;
import io.orrery.core.bus.ServerRole;
import io.orrery.core.bus.contract.Retentions;
import io.orrery.core.bus.contract.Routes;
import io.orrery.core.check.CheckResult;
import io.orrery.core.lease.Leases;
import io.orrery.core.problem.Problem;
import io.orrery.core.sql.Migrations;
import io.orrery.core.sql.SqliteStore;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.orrery.core.time.SystemClock;
import io.orrery.gateway.EdgeServer;
import io.orrery.gateway.health.Readiness;
import io.orrery.gateway.status.ServerFacts.SandboxMode;
import io.vertx.core.Future;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The status over HTTP: who sees what, and what is said when parts are away. */
class StatusApiIT {
  private static final Map<String, Caller> USERS =
      Map.of(
          "of root", new Caller("root", UserRole.ADMIN, Caller.Kind.PERSON, Map.of(), false),
          "of vic", new Caller("vic", UserRole.USER, Caller.Kind.PERSON, Map.of(), false));

  private static final Migrations MIGRATIONS =
      new Migrations("status", StatusApiIT.class, List.of());

  @TempDir Path home;
  private final AtomicInteger looks = new AtomicInteger();
  private EdgeServer edge;
  private Store store;

  @BeforeEach
  void open() throws Exception {
    edge = EdgeServer.withUsers(USERS);
    store = SqliteStore.open(edge.vertx, home.resolve("orrery.db"));
    MIGRATIONS.apply(store).await(10, SECONDS);
  }

  @AfterEach
  void close() throws Exception {
    store.close().await(10, SECONDS);
    edge.close();
  }

  private void begin(boolean sandbox) {
    edge.status.started(
        new ServerFacts(
            edge.vertx,
            edge.bus,
            new SystemClock(edge.vertx),
            store,
            List.of(MIGRATIONS),
            Leases.ALONE,
            () -> Future.succeededFuture(Readiness.State.READY),
            "1.2.3",
            "http://127.0.0.1:8080",
            ServerRole.all(),
            Map.of("disk", home),
            Map.of(),
            new SandboxMode(sandbox, true),
            Map.of(
                "box",
                () -> {
                  looks.incrementAndGet();
                  return CheckResult.failed("cluster box", "it is away", "start it");
                })));
  }

  private JsonNode status(String user) throws Exception {
    HttpRequest request =
        edge.request("/api/v1/status").header("Authorization", "Bearer " + user).build();
    return EdgeServer.json(edge.client().send(request, BodyHandlers.ofString()));
  }

  private static JsonNode check(JsonNode status, String name) {
    for (JsonNode check : status.path("checks")) {
      if (check.path("name").asText().equals(name)) {
        return check;
      }
    }
    throw new AssertionError(name + " is not in " + status);
  }

  @Test
  void aServerThatStartsSaysSo() throws Exception {
    assertThat(status("of root").path("status").asText()).isEqualTo("starting");
  }

  @Test
  void anAdministratorSeesTheWorstFirstWithWhatHelps() throws Exception {
    begin(false);

    JsonNode status = status("of root");

    assertThat(status.path("status").asText()).isEqualTo("failed");
    assertThat(status.path("version").asText()).isEqualTo("1.2.3");
    assertThat(status.path("checks").path(0).path("state").asText()).isEqualTo("failed");
    JsonNode first = check(status, "cluster box");
    assertThat(first.path("found").asText()).isEqualTo("it is away");
    assertThat(first.path("hint").asText()).isEqualTo("start it");
    assertThat(check(status, "sandbox").path("state").asText()).isEqualTo("warning");
    assertThat(status.path("sandbox").path("mode").asText()).isEqualTo("none");
    assertThat(check(status, "database").path("state").asText()).isEqualTo("ok");
    assertThat(check(status, "clock").path("state").asText()).isEqualTo("ok");
    assertThat(status.path("storage").path(0).path("path").asText()).isEqualTo(home.toString());
    assertThat(status.path("servers").path(0).path("isThis").asBoolean()).isTrue();
  }

  /** The server that should answer may come back: what is not known is no failure. */
  @Test
  void aPartWithoutAnAnswerIsUnknown() throws Exception {
    begin(true);
    edge.on(
        Routes.TRAFFIC,
        asked ->
            Future.failedFuture(
                new Problem.Unavailable("no server has the role", Duration.ofSeconds(1))
                    .toException()));

    assertThat(check(status("of root"), "routers").path("state").asText()).isEqualTo("unknown");
  }

  /** Not "none has failed", which an empty list of rules would say. */
  @Test
  void aListThatCannotBeHadIsSaidInThePlaceOfItsChecks() throws Exception {
    begin(true);
    edge.on(
        Retentions.LIST,
        asked -> Future.failedFuture(new IllegalStateException("the table of rules is gone")));

    JsonNode status = status("of root");

    assertThat(check(status, "retention").path("state").asText()).isEqualTo("failed");
    assertThat(check(status, "retention").path("found").asText()).contains("rules is gone");
    assertThat(status.path("retention")).isEmpty();
  }

  @Test
  void otherPeopleSeeOneWord() throws Exception {
    begin(true);

    assertThat(status("of vic").properties())
        .extracting(Map.Entry::getKey)
        .containsExactly("status", "at");
  }

  @Test
  void askingOftenIsNoWork() throws Exception {
    begin(true);

    for (int i = 0; i < 20; i++) {
      status(i % 2 == 0 ? "of root" : "of vic");
    }

    assertThat(looks).hasValue(1);
  }

  @Test
  void aDatabaseThatIsAwayIsAFailure() throws Exception {
    begin(true);
    store.close().await(10, SECONDS);

    JsonNode database = check(status("of root"), "database");

    assertThat(database.path("state").asText()).isEqualTo("failed");
    assertThat(database.path("hint").asText()).contains("store.url");
  }

  @Test
  void aSchemaThatANewerVersionHasBrokenIsAFailure() throws Exception {
    begin(true);
    store
        .write(
            List.of(
                Statement.of(
                    "insert into migrations (module, number, name)"
                        + " values ('status', 1, '0001-other-breaking.sql')")))
        .await(10, SECONDS);

    JsonNode schema = check(status("of root"), "schema");

    assertThat(schema.path("state").asText()).isEqualTo("failed");
    assertThat(schema.path("found").asText()).contains("0001-other-breaking.sql of status");
    assertThat(schema.path("server").isNull()).isTrue();
  }

  @Test
  void aQueueIsCounted() throws Exception {
    begin(true);
    store.write(List.of(Statement.of("create table t (n integer)"))).await(10, SECONDS);

    assertThat(check(status("of root"), "queue of writes").path("found").asText())
        .isEqualTo("0 writes wait, of at most 10,000");
  }
}
