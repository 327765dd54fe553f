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

  @Test
  void whoHasSignedInMakesListsAndRevokesPersonalTokens() {
    try (FakeServer server = new FakeServer()) {
      server
          .on("GET /api/v1/me", 200, "{\"user\":\"ann\",\"kind\":\"token\"}")
          .on(
              "GET /api/v1/me/tokens",
              200,
              "{\"items\":[{\"name\":\"ci\",\"scope\":\"read\",\"expiresAt\":null}],\"next\":null}")
          .on("POST /api/v1/me/tokens", 201, "{\"name\":\"ci\",\"token\":\"orrery_x\"}")
          .on("POST /api/v1/session", 204, "")
          .on("DELETE /api/v1/me/tokens/ci", 204, "");
      CommandLineRun run = new CommandLineRun(directory).at(server);
      run.prompt = question -> question.contains("ann") ? "word" : null;

      Result made = run.run("token", "create", "ci", "--scope", "read", "--token", "t");

      assertThat(made.out()).isEqualTo("orrery_x\n");
      assertThat(server.requests().getLast().body())
          .isEqualTo("{\"name\":\"ci\",\"scope\":\"read\"}");
      assertThat(server.requests().get(server.requests().size() - 2).body())
          .isEqualTo("{\"user\":\"ann\",\"password\":\"word\"}");
      assertThat(run.run("token", "create", "ci", "--token", "t").out()).isEqualTo("orrery_x\n");
      assertThat(run.run("token", "create", "ci", "--scope", "read").code()).isEqualTo(2);
      assertThat(run.run("token", "create", "ci", "--token", "t", "--role", "admin").err())
          .contains("sha256:");
      assertThat(run.run("token", "list", "--token", "t").out()).contains("ci").contains("read");
      assertThat(run.run("token", "revoke", "ci", "--token", "t").code()).isZero();
      assertThat(server.lines()).contains("DELETE /api/v1/me/tokens/ci");
    }
  }

  private Result run(String... arguments) {
    return new CommandLineRun(directory).run(arguments);
  }
}
