package io.orrery.core.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.core.problem.ProblemException;
import io.vertx.pgclient.SslMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PostgresAddressTest {
  private static final StoreOwner OWNER = new StoreOwner("a", "a home");

  @TempDir Path home;

  private String password(String url, Map<String, String> environment) {
    return PostgresAddress.parse(url, environment).options(OWNER).getPassword();
  }

  private Map<String, String> passwordFile(String permissions, String... lines) throws Exception {
    Path file = home.resolve(".pgpass");
    Files.writeString(file, String.join("\n", lines));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
    return Map.of("HOME", home.toString());
  }

  @Test
  void everyPartIsReadAndThePasswordIsNeverShown() {
    PostgresAddress address =
        PostgresAddress.parse(
            "postgresql://me:p%40ss:word@db.example:6432/trials?sslmode=verify-full", Map.of());

    assertThat(address).hasToString("postgresql://me@db.example:6432/trials");
    assertThat(address.options(OWNER).getPassword()).isEqualTo("p@ss:word");
    assertThat(address.options(OWNER).getSslMode()).isEqualTo(SslMode.VERIFY_FULL);
    assertThat(address.options(OWNER).getPort()).isEqualTo(6432);
    assertThat(
            address
                .unusable(new ConnectionLost(new IOException("no route")))
                .problem()
                .problem()
                .detail())
        .contains("no route")
        .doesNotContain("word");
  }

  @Test
  void thePortHasADefaultAndAnAddressMayBeOfVersionSix() {
    assertThat(PostgresAddress.parse("postgres://me@[::1]/trials", Map.of()))
        .hasToString("postgresql://me@[::1]:5432/trials");
  }

  @Test
  void thePasswordComesFromTheUrlElseTheEnvironmentElseTheFile() throws Exception {
    Map<String, String> file = passwordFile("rw-------", "db:5432:trials:me:filed");
    Map<String, String> both = Map.of("HOME", home.toString(), "PGPASSWORD", "set");

    assertThat(password("postgresql://me:given@db/trials", both)).isEqualTo("given");
    assertThat(password("postgresql://me@db/trials", both)).isEqualTo("set");
    assertThat(password("postgresql://me@db/trials", file)).isEqualTo("filed");
    assertThat(password("postgresql://you@db/trials", file)).isEmpty();
  }

  @Test
  void theFirstLineThatFitsCountsAndABackslashTakesTheNextCharacter() throws Exception {
    Map<String, String> file =
        passwordFile(
            "rw-------",
            "# db:5432:trials:me:comment",
            "db:1:trials:me:other port",
            "db:*:*:m\\:e:a\\\\b\\:c",
            "*:*:*:*:any");

    assertThat(password("postgresql://m%3Ae@db/trials", file)).isEqualTo("a\\b:c");
    assertThat(password("postgresql://me@db/trials", file)).isEqualTo("any");
  }

  @Test
  void aFileThatOthersMayReadIsNotRead() throws Exception {
    Map<String, String> file = passwordFile("rw-r--r--", "*:*:*:*:open");

    assertThat(password("postgresql://me@db/trials", file)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "mysql://me:secret@db/trials",
        "postgresql://db/trials",
        "postgresql://:secret@db/trials",
        "postgresql://me:secret@db",
        "postgresql://me:secret@db/trials/more",
        "postgresql://me:sec ret@db/trials",
        "postgresql://me:secret@db/trials?sslmode=sometimes",
        "postgresql://me:secret@db/trials?sslmode=verify-full&sslrootcert=/nowhere/ca.pem",
        "trials.db",
      })
  void whatIsNoAddressIsRefusedWithTheFormAndWithoutThePassword(String url) {
    assertThatThrownBy(() -> PostgresAddress.parse(url, Map.of()))
        .isInstanceOf(ProblemException.class)
        .hasMessageContaining("postgresql://user@host:5432/database")
        .hasMessageNotContaining("ret@")
        .hasMessageNotContaining("secret");
  }
}
