package io.orrery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.cli.CommandLineRun.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the commands that work on objects of any kind for personal tokens, against prepared answers.
 */
final class TokenDocumentsIT {
  @TempDir Path directory;
  private final FakeServer server = new FakeServer();
  private CommandLineRun run;

  @BeforeEach
  void prepare() {
    run = new CommandLineRun(directory).at(server);
  }

  @AfterEach
  void close() {
    server.close();
  }

  private static String list(String... items) {
    return "{\"items\":[" + String.join(",", items) + "],\"next\":null}";
  }

  @Test
  void tokensAreListedDescribedAndRevokedAsOtherObjects() {
    String tokens =
        list(
            "{\"name\":\"ci\",\"scope\":\"read\",\"projects\":[\"vision\"],\"createdAt\":\"2026-01-01T00:00:00Z\","
                + "\"expiresAt\":null}",
            "{\"name\":\"laptop\",\"scope\":\"full\",\"projects\":null,\"createdAt\":\"2026-01-02T00:00:00Z\","
                + "\"expiresAt\":\"2027-01-31T12:00:00Z\",\"lastUsedAt\":\"2026-02-01T00:00:00Z\"}");
    for (int i = 0; i < 6; i++) {
      server.on("GET /api/v1/me/tokens", 200, tokens);
    }
    server.on("DELETE /api/v1/me/tokens/ci", 204, "");

    assertThat(run.run("get", "tokens").out()).isEqualTo(run.run("token", "list").out());
    assertThat(run.run("get", "token", "ci", "-o", "yaml").out()).startsWith("name: \"ci\"\n");
    assertThat(run.run("describe", "token", "laptop").out())
        .isEqualTo(
            """
            name        laptop
            scope       full
            projects    all
            created     2026-01-02T00:00:00Z
            expires     2027-01-31T12:00:00Z
            last used   2026-02-01T00:00:00Z
            """);
    Result missing = run.run("describe", "token", "other");
    assertThat(missing.code()).isEqualTo(1);
    assertThat(missing.err()).contains("there is no token 'other'");
    assertThat(run.run("delete", "token", "ci").out()).isEqualTo("deleted Token/ci\n");
    assertThat(server.lines()).contains("DELETE /api/v1/me/tokens/ci");
  }

  @Test
  void aTokenHasNoDocument() throws IOException {
    Files.writeString(directory.resolve("token.yml"), "kind: Token\nname: ci\n");

    Result result = run.run("apply", "-f", "token.yml");

    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).contains("there is no kind 'Token'");
  }
}
