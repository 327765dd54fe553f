package io.orrery.gateway.launch;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.config.ConfigKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ServerReferenceTest {
  private static final Path PAGE = Path.of("..", "docs", "reference", "server.md");

  private static final String HEAD =
      """
      # Reference: the server's configuration

      Made from the program's own declarations; a test compares. [Configuration](../configuration.md) explains.

      The dots of a name are the nesting of the file: `http.port` is `{http: {port: 8080}}`. A flag beats the variable, the
      variable beats the file. `orrery up --help` shows the flags.

      | key | variable | default | it is | meaning |
      |---|---|---|---|---|
      """;

  @Test
  void thePageOfReferenceIsWhatTheKeysSay() throws IOException {
    String page =
        ServerConfig.KEYS.stream()
            .map(ServerReferenceTest::row)
            .collect(Collectors.joining("\n", HEAD, "\n"));
    if (Boolean.getBoolean("orrery.docs.write")) {
      Files.writeString(PAGE, page);
    }

    assertThat(PAGE).as("-Dorrery.docs.write=true writes it anew").hasContent(page);
  }

  private static String row(ConfigKey<?> key) {
    return "| `%s` | `%s` | %s | %s | %s |"
        .formatted(
            key.name(), key.variable(), standard(key.fallback()), key.bounds(), key.sentence());
  }

  private static String standard(@Nullable Object fallback) {
    return fallback == null || fallback.equals(List.of()) ? "none" : "`" + fallback + "`";
  }
}
