package io.orrery.journeys.servers;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.file.DirectoryTree;
import io.orrery.journeys.ServerProcess;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests a home after a clean end, of which one file was damaged, cut, emptied, removed, or replaced
 * by another home's (F1). The server refuses to start and names the file, or starts with a warning
 * that names it, or has lost nothing. {@code -Dorrery.damage.all=true} tries each kind of damage on
 * each file, without it each file has the two that are hardest to see.
 */
@Timeout(300)
@EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
class DamagedHomeIT {
  private static final boolean ALL = Boolean.getBoolean("orrery.damage.all");

  @TempDir private static Path temp;
  private static Path mine;
  private static Path other;
  private static String experiment = "";

  /** A kind of damage to a file. */
  enum Damage {
    FLIPPED,
    CUT,
    EMPTIED,
    REMOVED,
    ANOTHERS
  }

  /** The right outcome of a start. */
  enum Verdict {
    /** Exit code 1, and a sentence with the file. */
    REFUSED,
    /** A warning with the file; all that was acknowledged is there. */
    WARNED,
    /** All that was acknowledged is there. */
    WHOLE
  }

  @BeforeAll
  @Timeout(300)
  static void twoHomes() throws Exception {
    other = filled("other");
    mine = filled("mine");
  }

  private static Path filled(String name) throws Exception {
    Path home = temp.resolve(name).toAbsolutePath();
    Path code = Files.createDirectories(temp.resolve("code")).toAbsolutePath();
    String config =
        """
        trialCommand: 'echo "orrery: final 1"'
        trialCodeDirectory: %s
        trialConcurrency: 1
        maxTrialNumber: 1
        searchSpace: {x: {_type: uniform, _value: [0, 1]}}
        tuner: {name: Random}
        trainingService: {platform: local}
        """
            .formatted(code);
    ServerProcess server =
        ServerProcess.begin(home, List.of("--port", "0", "--router-port", "0"), Map.of()).ready();
    experiment = server.post("/experiments", config).get("id").textValue();
    server.awaitStatus(experiment, Duration.ofSeconds(60), "DONE");
    String routes =
        "{\"services\":[{\"name\":\"%s\",\"endpoints\":[\"127.0.0.1:9\"]}]}".formatted(name);
    assertThat(server.send("PUT", "/routes", BodyPublishers.ofString(routes)).statusCode())
        .isLessThan(300);
    server.close();
    return home;
  }

  @ParameterizedTest
  @CsvSource({
    "metrics/0000000000000000000.log, REFUSED",
    "metrics/chunks.db, REFUSED",
    "metrics/mark, WARNED",
    "metrics/chunks.db.mark, WARNED",
    "orrery.db, REFUSED",
    "orrery.db.mark, WARNED",
    "secret, REFUSED",
    "home.json, REFUSED",
    "routes.json, REFUSED",
  })
  void whatIsDamagedIsNamed(String file, Verdict verdict) throws Exception {
    for (Damage damage : Damage.values()) {
      if (ALL || damage == Damage.FLIPPED || damage == Damage.REMOVED) {
        Path home = copy();
        Path damaged = home.resolve(file);
        damage(damaged, other.resolve(file), damage);
        judge(home, damaged, file + " " + damage, verdict);
        DirectoryTree.delete(home);
      }
    }
  }

  /** With all that lies beside it, as an administrator removes a database. */
  @Test
  void aDatabaseThatIsRemovedWithItsMarkIsNamed() throws Exception {
    Path home = copy();
    for (String file : List.of("orrery.db", "orrery.db.mark")) {
      Files.delete(home.resolve(file));
    }
    judge(home, home.resolve("orrery.db"), "orrery.db*", Verdict.REFUSED);
    DirectoryTree.delete(home.resolve("metrics"));
    Files.copy(mine.resolve("orrery.db"), home.resolve("orrery.db"));
    Files.copy(mine.resolve("orrery.db.mark"), home.resolve("orrery.db.mark"));
    judge(home, home.resolve("metrics"), "metrics/", Verdict.REFUSED);
  }

  @Test
  void aSmallFileThatIsRemovedWithItsDigestsIsNamed() throws Exception {
    for (String file : List.of("secret", "routes.json")) {
      Path home = copy();
      Files.delete(home.resolve(file));
      Files.delete(home.resolve(file + ".sha256"));
      judge(home, home.resolve(file), file + "*", Verdict.REFUSED);
      DirectoryTree.delete(home);
    }
  }

  @Test
  void theFilesOfTrialsThatAreRemovedAreNamed() throws Exception {
    Path home = copy();
    DirectoryTree.delete(home.resolve("experiments"));
    judge(home, home.resolve("experiments"), "experiments/", Verdict.WARNED);
  }

  private static void damage(Path file, Path anothers, Damage damage) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    switch (damage) {
      case FLIPPED -> {
        // Of a mark both halves say the same: one byte in each.
        for (int at = bytes.length - 1 - bytes.length % 2; at > 0; at -= bytes.length / 2) {
          bytes[at - Math.min(at, 20)] ^= 0x10;
          if (!file.toString().endsWith("mark")) {
            break;
          }
        }
        Files.write(file, bytes);
      }
      case CUT -> Files.write(file, Arrays.copyOf(bytes, bytes.length - 1));
      case EMPTIED -> Files.write(file, new byte[0]);
      case REMOVED -> Files.delete(file);
      case ANOTHERS -> Files.copy(anothers, file, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private void judge(Path home, Path file, String what, Verdict verdict) throws Exception {
    // Named by what it is called here, whatever the way to it is called.
    String name = home.relativize(file).toString();
    ServerProcess server =
        ServerProcess.begin(home, List.of("--port", "0", "--router-port", "0"), Map.of());
    try (server) {
      if (verdict == Verdict.REFUSED) {
        assertThat(server.ended(Duration.ofSeconds(60))).as(what + server.log()).isEqualTo(1);
        assertThat(server.log()).as(what).containsPattern("(?m)^orrery: .*" + file.getFileName());
      } else {
        server.ready();
        JsonNode known = server.get("/experiments/" + experiment);
        assertThat(known.at("/best/metric").asDouble()).as(what).isEqualTo(1);
        String trial = server.trials(experiment).getFirst().get("id").textValue();
        assertThat(
                server
                    .get("/experiments/" + experiment + "/trials/" + trial + "/metrics")
                    .toString())
            .contains("1");
      }
      if (verdict != Verdict.WHOLE) {
        assertThat(server.log()).as(what).contains(name);
      }
    }
    Files.delete(home.resolve("server.log"));
  }

  private Path copy() throws IOException {
    Path copy = Files.createTempDirectory(temp, "copy").toAbsolutePath();
    try (Stream<Path> files = Files.walk(mine)) {
      for (Path file : files.toList()) {
        Path target = copy.resolve(mine.relativize(file).toString());
        if (Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
          Files.createDirectories(target);
        } else if (!file.endsWith("server.log")) {
          Files.copy(file, target, LinkOption.NOFOLLOW_LINKS);
        }
      }
    }
    return copy;
  }
}
