package io.orrery.journeys.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.process.Umask;
import io.orrery.journeys.ServerProcess;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that what a trial puts into its directory shows no client the server's files, nor does a
 * umask (F2, F3).
 */
@Timeout(120)
class PrivateHomeIT {
  /** The command of a trial of bad intent, which goes on writing a plain file. */
  private static final String COMMAND =
      """
      cd "$NNI_OUTPUT_DIR" && ln -s "$SECRET_HOME/server.json" trial.log && ln -s "$SECRET_HOME" up \
      && ln "$SECRET_HOME/secret" second && mkfifo fifo && ln -s /dev/zero zero && rm -f stderr \
      && ln -s "$SECRET_HOME/server.json" stderr && ln -s "$SECRET_HOME/server.json" x.tfevents \
      && echo plain > plain && umask && echo "orrery: final 1"
      """
          .strip();

  @TempDir Path temp;

  @Test
  void noRouteLeadsOutOfTheTrialsDirectoryAndNoOtherUserReadsTheHome() throws Exception {
    Path home = Files.createDirectories(temp.resolve("home")).toAbsolutePath();
    Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path code = Files.createDirectories(temp.resolve("code")).toAbsolutePath();
    String config =
        """
        trialCommand: '%s'
        trialCodeDirectory: %s
        trialConcurrency: 1
        maxTrialNumber: 1
        readEventFiles: true
        searchSpace: {x: {_type: uniform, _value: [0, 1]}}
        tuner: {name: Random}
        trainingService: {platform: local}
        """
            .formatted(COMMAND.replace("$SECRET_HOME", home.toString()), code);
    try (ServerProcess server = ServerProcess.start(home)) {
      String id = server.post("/experiments", config).get("id").textValue();
      server.awaitStatus(id, Duration.ofSeconds(60), "DONE");
      String trial =
          "/experiments/" + id + "/trials/" + server.trials(id).getFirst().get("id").textValue();

      for (String stream : List.of("trial", "stderr")) {
        HttpResponse<String> log = get(server, trial + "/logs/" + stream);
        assertThat(log.body()).doesNotContain("\"pid\"").contains("symbolic link");
        assertThat(log.statusCode()).isEqualTo(404);
      }
      for (String file :
          List.of("trial.log", "stderr", "up/server.json", "up/secret", "second", "fifo", "zero")) {
        HttpResponse<String> answer = get(server, trial + "/file?path=" + file);
        assertThat(answer.statusCode()).as(file).isEqualTo(404);
        assertThat(answer.body()).as(file).doesNotContain("\"pid\"");
      }
      assertThat(get(server, trial + "/file?path=plain").body()).isEqualTo("plain\n");
      assertThat(get(server, trial + "/files").body()).contains("plain").doesNotContain("up/");
      assertThat(get(server, trial + "/logs/stdout").body())
          .as("the trial has the user's own umask")
          .contains("%04o".formatted(Umask.inherited()));

      assertThat(permissions(home)).isEqualTo("rwx------");
      try (Stream<Path> files = Files.walk(home)) {
        assertThat(files.filter(PrivateHomeIT::othersMayRead))
            .allSatisfy(
                file -> assertThat(file.toString()).matches(".*/(plain|fifo|server\\.log)"));
      }
    }
  }

  private static HttpResponse<String> get(ServerProcess server, String path) throws Exception {
    return server.send("GET", path, BodyPublishers.noBody());
  }

  private static boolean othersMayRead(Path file) {
    return !Files.isSymbolicLink(file)
        && Files.exists(file, LinkOption.NOFOLLOW_LINKS)
        && !permissions(file).endsWith("------");
  }

  private static String permissions(Path file) {
    try {
      return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    } catch (java.io.IOException e) {
      return "---------";
    }
  }
}
