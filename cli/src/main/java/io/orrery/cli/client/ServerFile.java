package io.orrery.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import io.orrery.core.problem.ProblemException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The file {@code server.json} that a running server leaves in its home. One that was killed leaves
 * it too, so {@link #process} looks twice before it calls a process the server.
 *
 * @param written when the server wrote it
 */
public record ServerFile(long pid, URI url, @Nullable String token, Instant written) {
  /** A server writes its file after it started; more than this apart, the pid is another's. */
  private static final Duration CLOCK_STEP = Duration.ofSeconds(5);

  /** The file of the server of a home; empty when there is none that can be read. */
  public static Optional<ServerFile> read(Path home) {
    Path file = home.resolve("server.json");
    try {
      JsonNode json = Json.parse(Files.readString(file));
      String token = json.path("token").asText("");
      return Optional.of(
          new ServerFile(
              json.path("pid").asLong(),
              URI.create(json.path("url").asText()),
              token.isEmpty() ? null : token,
              Files.getLastModifiedTime(file).toInstant()));
    } catch (IOException | ProblemException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** The server's process, when it lives. */
  public Optional<ProcessHandle> process() {
    return ProcessHandle.of(pid)
        .filter(ProcessHandle::isAlive)
        .filter(process ->
            process
                .info()
                .startInstant()
                .map(start -> start.isBefore(written.plus(CLOCK_STEP)))
                .orElse(true));
  }
}
