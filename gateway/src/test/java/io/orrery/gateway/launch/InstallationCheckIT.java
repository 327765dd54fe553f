package io.orrery.gateway.launch;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.check.CheckResult;
import io.orrery.core.check.CheckResult.State;
import io.orrery.core.sql.Migrations;
import io.orrery.core.sql.PostgresAddress;
import io.orrery.core.sql.PostgresServer;
import io.orrery.core.sql.PostgresStore;
import io.orrery.core.sql.SqliteStore;
import io.orrery.core.sql.Store;
import io.orrery.core.sql.StoreOwner;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Shows what {@code orrery doctor} says of what a start would read, open and try. */
class InstallationCheckIT {
  @TempDir Path home;
  private final Vertx vertx = Vertx.vertx();
  private final Map<String, String> environment = new HashMap<>();

  @BeforeEach
  void keepThePath() {
    environment.put("PATH", System.getenv("PATH"));
  }

  @AfterEach
  void close() throws Exception {
    vertx.close().await(10, TimeUnit.SECONDS);
  }

  private Map<String, CheckResult> check(String configuration) throws IOException {
    Path file = Files.writeString(home.resolve("orrery.yml"), configuration);
    Map<String, CheckResult> results = new HashMap<>();
    for (CheckResult each : new InstallationCheck(home, file, environment).run()) {
      assertThat(results.put(each.check(), each)).as(each.check()).isNull();
    }
    return results;
  }

  private void migrate(Store store) throws Exception {
    for (Migrations each : KnownMigrations.ALL) {
      each.apply(store).await(20, TimeUnit.SECONDS);
    }
    store.close().await(10, TimeUnit.SECONDS);
  }

  private static void expect(CheckResult result, State state, String... words) {
    assertThat(result.state()).as(result.toString()).isEqualTo(state);
    assertThat(result.found() + " | " + result.advice()).contains(words);
  }

  @Test
  void aPostgresqlDatabaseIsLoggedInToAndItsChangesAreCompared() throws Exception {
    String url = PostgresServer.newDatabase();
    String configuration = "store: {url: '" + url + "'}";
    Map<String, CheckResult> fresh = check(configuration);
    expect(fresh.get("database"), State.OK, "PostgreSQL 1", "takes this user");
    expect(fresh.get("schema"), State.OK, "no tables yet");
    assertThat(fresh.toString()).doesNotContain(":" + PostgresServer.PASSWORD + "@");

    migrate(
        PostgresStore.open(
            vertx, PostgresAddress.parse(url, Map.of()), new StoreOwner("test", "a test")));
    Map<String, CheckResult> whole = check(configuration);
    expect(whole.get("schema"), State.OK, "all that this program knows");
    expect(whole.get("tables"), State.OK, "tables and");

    PostgresServer.tell(url, "drop index trials_by_metric_descending");
    expect(
        check(configuration).get("tables"),
        State.WARNING,
        "it lacks the index trials_by_metric_descending");
    PostgresServer.tell(url, "alter table notebooks drop column warned_at");
    PostgresServer.tell(url, "drop table run_alerts");
    expect(
        check(configuration).get("tables"),
        State.FAILED,
        "the column warned_at of notebooks, the table run_alerts, the index",
        "changed by hand");

    PostgresServer.tell(url, "delete from migrations where module = 'runs' and number = 4");
    expect(check(configuration).get("schema"), State.OK, "the next start adds 0004-commits.sql");

    PostgresServer.tell(url, "insert into migrations values ('future', 1, '0001-future.sql')");
    expect(
        check(configuration).get("schema"),
        State.WARNING,
        "a newer Orrery has added to it",
        "0001-future.sql of future");

    PostgresServer.tell(url, "insert into migrations values ('future', 2, '0002-x-breaking.sql')");
    expect(
        check(configuration).get("schema"),
        State.FAILED,
        "cannot use it: 0002-x-breaking.sql of future",
        "use the newer version");

    PostgresServer.tell(url, "delete from migrations where module = 'runs' and number = 2");
    expect(check(configuration).get("schema"), State.FAILED, "migration 2 of runs is missing");

    PostgresServer.tell(url, "update migrations set name = 'other.sql' where module = 'builds'");
    expect(
        check(configuration).get("schema"),
        State.FAILED,
        "migration 1 of builds is other.sql, and 0001-builds.sql in this program");
  }

  @Test
  void aPostgresqlDatabaseThatDoesNotTakeTheLoginIsNamedWithWhatWouldHelp() throws Exception {
    String url = PostgresServer.newDatabase();
    String missing = url.replaceAll("/[^/]*$", "/missing");
    expect(
        check("store: {url: '" + missing + "'}").get("database"),
        State.FAILED,
        "\"missing\" does not exist",
        "createdb -h 127.0.0.1");
    expect(
        check("store: {url: '" + url.replace("postgres:postgres@", "stranger:hush@") + "'}")
            .get("database"),
        State.FAILED,
        "postgresql://stranger@127.0.0.1",
        "pg_hba.conf");

    Map<String, CheckResult> away = check("store: {url: 'postgresql://me:hush@127.0.0.1:1/db'}");
    expect(away.get("database"), State.FAILED, "127.0.0.1:1/db (Connection refused", "start it");
    assertThat(away.toString()).doesNotContain("hush");
    assertThat(away).doesNotContainKey("schema");
  }

  @Test
  void theFilesOfAHomeAreReadToTheirEnd() throws Exception {
    Map<String, CheckResult> fresh = check("");
    expect(fresh.get("database"), State.OK, "SQLite in the home");
    expect(fresh.get("database file"), State.OK, "the first start makes it");

    Path file = home.resolve("orrery.db");
    migrate(SqliteStore.openKept(vertx, file));
    expect(check("").get("database file"), State.OK, "is whole");
    expect(check("").get("schema"), State.OK, "all that this program knows");
    expect(check("").get("tables"), State.OK, "tables and");

    long middle = Files.size(file) / 2;
    try (RandomAccessFile torn = new RandomAccessFile(file.toFile(), "rw")) {
      torn.seek(middle);
      torn.write(new byte[(int) middle]);
    }
    expect(check("").get("database file"), State.FAILED, "orrery.db", "restore a backup");
  }

  @Test
  void aConfigurationThatAStartWouldRefuseIsToldInItsWords() throws Exception {
    Map<String, CheckResult> wrong = check("http: {port: 8080}\ntuner: {patience: 1}\n");
    expect(wrong.get("configuration"), State.FAILED, "orrery.yml:2", "tuner.patience");
    expect(wrong.get("database"), State.UNKNOWN, "repair it");

    Map<String, CheckResult> missing = check("http: {tls: {certificate: a.pem, key: a.key}}");
    expect(missing.get("configuration"), State.FAILED, "a.pem: it cannot be read");
    expect(missing.get("database"), State.OK, "SQLite");
  }

  @Test
  void theProviderAtWhichPeopleSignInIsAsked() throws Exception {
    expect(
        check("auth: {openId: {issuer: 'http://127.0.0.1:1', clientId: o}}").get("OpenID provider"),
        State.FAILED,
        "http://127.0.0.1:1/.well-known/openid-configuration",
        "refused");
  }

  /** By a password, a provider or a proxy: then programs of people are kept apart by bwrap. */
  @ParameterizedTest
  @CsvSource({
    "auth: {users: true}, FAILED",
    "'auth: {openId: {issuer: \"http://127.0.0.1:1\", clientId: o}}', FAILED",
    "'auth: {trustedProxy: {header: X-User, from: [10.0.0.1]}}', FAILED",
    "'auth: {users: true, sandbox: none}', WARNING",
    "'auth: {sandbox: bwrap}', FAILED",
    "'', OK"
  })
  void accountsOfEachKindNeedASandbox(String auth, State state) throws Exception {
    environment.put("PATH", home.toString());

    CheckResult found = check(auth).get("sandbox");

    assertThat(found.state()).as(found.toString()).isEqualTo(state);
    if (state == State.FAILED) {
      assertThat(found.found()).contains("no program bwrap");
      assertThat(found.advice()).contains("apt-get install bubblewrap", "auth.sandbox: none");
    }
  }

  @Test
  void aSandboxThatDoesNotWorkIsToldInTheWordsOfItsProgram() throws Exception {
    Path broken = Files.writeString(home.resolve("bwrap"), "#!/bin/sh\necho no uid map\nexit 1\n");
    assertThat(broken.toFile().setExecutable(true)).isTrue();
    environment.put("PATH", home + ":" + System.getenv("PATH"));

    expect(
        check("auth: {users: true}").get("sandbox"),
        State.FAILED,
        broken + " cannot keep programs apart on this machine (no uid map)");
  }
}
