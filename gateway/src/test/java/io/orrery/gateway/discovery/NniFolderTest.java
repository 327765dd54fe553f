package io.orrery.gateway.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.experiment.AlgorithmSpec;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.json.Json;
import io.orrery.core.sql.SqliteExport;
import io.orrery.core.sql.SqliteFile;
import io.orrery.core.sql.Statement;
import io.orrery.core.trial.Parameters;
import io.orrery.gateway.discovery.NniFolder.Profile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the files that NNI's {@code nnictl} opens, as it opens them. */
class NniFolderTest {
  private static final ExperimentId ID = new ExperimentId("abc12345");

  @TempDir Path directory;

  @Test
  void theNewestProfileOfAnExperimentIsItsConfiguration() throws IOException {
    NniFolder folder = folder(directory.resolve("absent.log"));
    folder.write(profile("{\"trialConcurrency\":1}"));
    folder.write(profile("{\"trialConcurrency\":2}"));

    try (SqliteFile database = SqliteFile.open(directory.resolve("abc12345/db/nni.sqlite"))) {
      assertThat(
              database.read(
                  "select params, startTime, endTime from ExperimentProfile"
                      + " where id = 'abc12345' order by revision desc",
                  row ->
                      List.of(
                          row.text("params"),
                          row.integer("startTime"),
                          row.integerOrNull("endTime") == null)))
          .containsExactly(List.of("{\"trialConcurrency\":2}", 1_000L, true));
    }
    assertThat(Files.getPosixFilePermissions(directory.resolve("abc12345/db/nni.sqlite")))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
  }

  @Test
  void theLogsAreThoseOfTheServer() throws IOException {
    Path log = directory.resolve("server.log");
    NniFolder folder = folder(log);
    folder.write(profile("{}"));
    Path out = directory.resolve("abc12345/log/nnictl_stdout.log");
    assertThat(out).content().contains("terminal");

    Files.writeString(log, "one\n");
    folder.write(profile("{}"));
    folder.write(profile("{}"));
    assertThat(out).hasContent("one\n");
    assertThat(directory.resolve("abc12345/log/nnictl_stderr.log")).hasContent("one\n");

    Files.delete(log);
    folder.write(profile("{}"));
    assertThat(out).content().contains("terminal");
    assertThat(log).doesNotExist();
  }

  @Test
  void aFolderWithOurFilesAloneGoesWithTheExperiment() throws IOException {
    Path log = Files.writeString(directory.resolve("server.log"), "one\n");
    NniFolder folder = folder(log);
    folder.write(profile("{}"));
    folder.delete(ID);
    assertThat(directory.resolve("abc12345")).doesNotExist();
    assertThat(log).exists();

    folder.write(profile("{}"));
    Path theirs = directory.resolve("abc12345/log/experiment.log");
    Files.writeString(theirs, "NNI's");
    folder.delete(ID);
    assertThat(theirs).hasContent("NNI's");
    assertThat(directory.resolve("abc12345/db")).doesNotExist();
    folder.delete(ID);
  }

  /** Such as that of an experiment that was taken over with its id. */
  @Test
  void whatNniWroteIsNeverTouched() throws IOException {
    Path database = directory.resolve("abc12345/db/nni.sqlite");
    Path log = directory.resolve("abc12345/log/nnictl_stdout.log");
    Files.createDirectories(database.getParent());
    Files.createDirectories(log.getParent());
    SqliteExport.write(database, List.of(Statement.of("create table TrialJobEvent (data text)")));
    byte[] before = Files.readAllBytes(database);
    Files.writeString(log, "NNI's");

    NniFolder folder = folder(directory.resolve("absent.log"));
    folder.write(profile("{}"));
    folder.delete(ID);

    assertThat(database).hasBinaryContent(before);
    assertThat(log).hasContent("NNI's");
    Files.delete(database);
    folder.write(profile("{}"));
    assertThat(log).hasContent("NNI's");
  }

  /** D12. */
  @Test
  void managerAndDispatcherHaveTheirLogs() throws IOException {
    NniFolder folder = folder(directory.resolve("absent.log"));
    folder.log(ID, List.of("too early"));
    folder.write(profile("{}"));
    folder.log(ID, List.of("one"));
    folder.write(profile("{}"));
    folder.log(ID, List.of("two"));
    Path logs = directory.resolve("abc12345/log");
    assertThat(logs.resolve("nnimanager.log")).hasContent("one\ntwo\n");
    assertThat(logs.resolve("dispatcher.log")).content().contains("TPE runs in the server");

    folder.delete(ID);
    AlgorithmSpec own = new AlgorithmSpec(null, "mine.Mine", "/code", Parameters.EMPTY);
    folder.write(new Profile(ID, Json.parse("{}"), 7, 1_000, null, own));
    Path printed = directory.resolve("experiments/abc12345/log/tuner.stdout");
    Files.createDirectories(printed.getParent());
    Files.writeString(printed, "what it prints");
    assertThat(logs.resolve("dispatcher.log")).hasContent("what it prints");
  }

  private NniFolder folder(Path serverLog) {
    return new NniFolder(directory, serverLog, directory.resolve("experiments"));
  }

  private static Profile profile(String params) {
    return new Profile(ID, Json.parse(params), 7, 1_000, null, AlgorithmSpec.named("TPE"));
  }
}
