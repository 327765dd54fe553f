package io.orrery.gateway.discovery;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.file.DurableFile;
import io.orrery.core.json.Json;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.time.Clock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;

/**
 * NNI's index of a user's experiments: one JSON object, an entry for each id. Others write it as
 * well, so each change is made under NNI's lock: the process that has a file {@code
 * .experiment.lock.<pid>} that is younger than two seconds has the index. Blocks.
 */
final class IndexFile {
  private static final String NAME = ".experiment";
  private static final String LOCK = NAME + ".lock.";

  /** Of a holder that died. */
  private static final Duration STALE = Duration.ofSeconds(2);

  private static final long PAUSE_MILLIS = 20;
  private static final int TRIES = 250;

  private final Path directory;
  private final Clock clock;

  /**
   * @param directory is made with the first entry
   */
  IndexFile(Path directory, Clock clock) {
    this.directory = directory;
    this.clock = clock;
  }

  /** All entries; none when there is no index yet. */
  ObjectNode read() throws IOException {
    try {
      JsonNode index = Json.parse(Files.readString(directory.resolve(NAME)));
      if (index instanceof ObjectNode entries) {
        return entries;
      }
      throw new IOException(directory.resolve(NAME) + " is no index of experiments");
    } catch (NoSuchFileException e) {
      return Json.MAPPER.createObjectNode();
    } catch (ProblemException e) {
      throw new IOException(directory.resolve(NAME) + " is damaged: " + e.getMessage(), e);
    }
  }

  /** Changes entries; those of others stay as they are. An index that cannot be read is kept. */
  void change(Consumer<ObjectNode> change) throws IOException {
    Files.createDirectories(directory);
    Path lock = acquire();
    try {
      ObjectNode entries = read();
      ObjectNode before = entries.deepCopy();
      change.accept(entries);
      if (!entries.equals(before)) {
        DurableFile.replace(
            directory.resolve(NAME), Json.write(entries).getBytes(StandardCharsets.UTF_8));
      }
    } finally {
      Files.deleteIfExists(lock);
    }
  }

  private Path acquire() throws IOException {
    Path own = directory.resolve(LOCK + ProcessHandle.current().pid());
    for (int tries = 0; tries < TRIES; tries++) {
      if (!held()) {
        Files.deleteIfExists(own);
        try {
          return Files.createFile(own);
        } catch (FileAlreadyExistsException e) {
          // A second server in this very process was faster.
        }
      }
      try {
        Thread.sleep(PAUSE_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted while waiting for " + directory.resolve(NAME), e);
      }
    }
    throw new IOException(directory.resolve(NAME) + " is locked by another program");
  }

  private boolean held() throws IOException {
    Instant fresh = clock.now().minus(STALE);
    try (DirectoryStream<Path> locks = Files.newDirectoryStream(directory, LOCK + "*")) {
      for (Path lock : locks) {
        if (Files.getLastModifiedTime(lock).toInstant().isAfter(fresh)) {
          return true;
        }
      }
    } catch (NoSuchFileException e) {
      // Let go of while we looked.
      return false;
    }
    return false;
  }
}
