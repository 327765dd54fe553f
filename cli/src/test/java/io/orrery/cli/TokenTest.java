package io.orrery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.CommandLineRun.Result;
import io.orrery.core.auth.BearerToken;
import io.orrery.core.json.Document;
import io.orrery.core.json.Json;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TokenTest {
  @TempDir Path directory;

  @Test
  void aTokenStandsAloneOnStdoutAndItsLinesForTheServerOnStderr() {
    Result result = run("token", "create", "ci");
    String token = result.out().strip();
    JsonNode lines = Document.read(result.err().substring(result.err().indexOf("auth:"))).root();

    assertThat(result.code()).isZero();
    assertThat(token).matches("orrery_[A-Za-z0-9_-]{43}");
    assertThat(result.err()).doesNotContain(token);
    assertThat(lines.at("/auth/tokens/0/name").asText()).isEqualTo("ci");
    assertThat(lines.at("/auth/tokens/0/role").asText()).isEqualTo("admin");
    assertThat(lines.at("/auth/tokens/0/sha256").asText())
        .isEqualTo(new BearerToken(token).sha256())
        .matches("[0-9a-f]{64}");
  }

  @Test
  void everyTokenIsAnother() {
    assertThat(run("token", "create", "ci").out()).isNotEqualTo(run("token", "create", "ci").out());
  }

  @Test
  void aNameThatYamlWouldReadOtherwiseIsQuoted() {
    String err = run("token", "create", "a: b, #c", "--role", "viewer").err();
    JsonNode entry = Document.read(err.substring(err.indexOf("auth:"))).root().at("/auth/tokens/0");

    assertThat(entry.path("name").asText()).isEqualTo("a: b, #c");
    assertThat(entry.path("role").asText()).isEqualTo("viewer");
  }

  @Test
  void asJsonEverythingIsInOneDocument() {
    JsonNode json = Json.parse(run("token", "create", "ci", "--json").out());

    assertThat(json.path("sha256").asText())
        .isEqualTo(new BearerToken(json.path("token").asText()).sha256());
  }

  @Test
  void aRoleThatDoesNotExistIsRefused() {
    assertThat(run("token", "create", "ci", "--role", "owner").code()).isEqualTo(2);
  }

  private Result run(String... arguments) {
    return new CommandLineRun(directory).run(arguments);
  }
}
