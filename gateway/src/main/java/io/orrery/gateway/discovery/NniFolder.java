package io.orrery.gateway.discovery;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.experiment.AlgorithmSpec;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.json.Json;
import io.orrery.core.sql.SqliteExport;
import io.orrery.core.sql.Statement;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The folder that NNI's tools expect of each experiment in their index. Some verbs of its {@code
 * nnictl} ask no server but open files in it: {@code config show}, {@code log trial}, {@code
 * experiment import}, {@code delete} and {@code save} the profile in {@code db/nni.sqlite}, {@code
 * log stdout} and {@code log stderr} a log; its test runner and its page look into the logs of
 * manager and dispatcher, and into the folders of trials. It holds nothing that is not elsewhere,
 * so that {@code experiment delete} of NNI's tools, which removes it, takes nothing of ours away.
 * Blocks.
 */
final class NniFolder {
  private static final String TABLE =
      """
      create table ExperimentProfile (
        params text, id text, execDuration integer, startTime integer, endTime integer,
        logDir text, nextSequenceId integer, revision integer)
      """;

  /** Stands in the head of databases that are ours: those of NNI's own experiments hold results. */
  private static final int MARK = 0x4f727279;

  /** Where SQLite keeps it. */
  private static final int MARK_OFFSET = 68;

  private static final String ROW = "insert into ExperimentProfile values (?, ?, ?, ?, ?, ?, ?, ?)";

  private static final String DATABASE = "db/nni.sqlite";
  private static final String OUT = "log/nnictl_stdout.log";
  private static final String ERR = "log/nnictl_stderr.log";
  private static final String MANAGER = "log/nnimanager.log";
  private static final String DISPATCHER = "log/dispatcher.log";
  private static final String TRIALS = "trials";

  /** What is in a folder, each before what it is in; the last is the folder itself. */
  private static final List<String> OURS =
      List.of(DATABASE, "db", OUT, ERR, MANAGER, DISPATCHER, "log", TRIALS, "");

  private final Path directory;
  private final Path serverLog;
  private final Path experiments;

  /**
   * @param directory where NNI keeps its experiments
   * @param serverLog what a server in the background writes; it may be missing
   * @param experiments the directory that holds a directory for each experiment
   */
  NniFolder(Path directory, Path serverLog, Path experiments) {
    this.directory = directory;
    this.serverLog = serverLog;
    this.experiments = experiments;
  }

  /**
   * The profile of an experiment that NNI's tools read. Times are milliseconds since the epoch.
   *
   * @param params its configuration without credentials
   * @param seconds how long it has been running
   * @param tuner what searches
   */
  record Profile(
      ExperimentId id,
      JsonNode params,
      long seconds,
      long startTime,
      @Nullable Long endTime,
      AlgorithmSpec tuner) {}

  /**
   * Makes the folder, or brings it up to date. One that NNI made stays as it is: an experiment that
   * was taken over from it has its id.
   */
  void write(Profile profile) throws IOException {
    Path folder = directory.resolve(profile.id().value());
    boolean fresh =
        Files.notExists(folder.resolve(DATABASE)) && Files.notExists(folder.resolve("log"));
    if (!fresh && !isOurs(folder)) {
      return;
    }
    Files.createDirectories(folder.resolve("db"));
    SqliteExport.write(
        folder.resolve(DATABASE),
        List.of(
            Statement.of("pragma application_id = " + MARK),
            Statement.of(TABLE),
            Statement.of(
                ROW,
                Json.write(profile.params()),
                profile.id().value(),
                profile.seconds(),
                profile.startTime(),
                profile.endTime(),
                folder.toString(),
                0,
                0)));
    Files.createDirectories(folder.resolve("log"));
    log(folder.resolve(OUT));
    log(folder.resolve(ERR));
    if (Files.notExists(folder.resolve(MANAGER))) {
      Files.createFile(folder.resolve(MANAGER));
    }
    dispatcher(folder.resolve(DISPATCHER), profile);
    if (Files.notExists(folder.resolve(TRIALS), LinkOption.NOFOLLOW_LINKS)) {
      Files.createSymbolicLink(
          folder.resolve(TRIALS), experiments.resolve(profile.id().value()).resolve(TRIALS));
    }
  }

  /** Adds lines to the log of NNI's manager. */
  void log(ExperimentId id, List<String> lines) throws IOException {
    Path folder = directory.resolve(id.value());
    if (isOurs(folder)) {
      Files.write(
          folder.resolve(MANAGER), lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
  }

  /** Links the output of an algorithm that runs in a process of its own; ours print nothing. */
  private void dispatcher(Path log, Profile profile) throws IOException {
    if (Files.exists(log, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    if (profile.tuner().isForeign()) {
      Files.createSymbolicLink(
          log, experiments.resolve(profile.id().value()).resolve("log/tuner.stdout"));
    } else {
      Files.writeString(
          log,
          "The tuner " + profile.tuner().label() + " runs in the server, which has one log.\n");
    }
  }

  private static boolean isOurs(Path folder) throws IOException {
    try (RandomAccessFile database = new RandomAccessFile(folder.resolve(DATABASE).toFile(), "r")) {
      database.seek(MARK_OFFSET);
      return database.readInt() == MARK;
    } catch (FileNotFoundException | EOFException e) {
      return false;
    }
  }

  /** All experiments write one log. */
  private void log(Path file) throws IOException {
    // Nothing is written through a link that was made when there was a log.
    Files.deleteIfExists(file);
    if (Files.notExists(serverLog)) {
      Files.writeString(
          file, "The server writes its log to the terminal that it was started in.\n");
    } else {
      Files.createSymbolicLink(file, serverLog);
    }
  }

  /** The experiment exists no more. Files that others have put into its folder stay. */
  void delete(ExperimentId id) throws IOException {
    Path folder = directory.resolve(id.value());
    if (!isOurs(folder)) {
      return;
    }
    for (String ours : OURS) {
      try {
        Files.deleteIfExists(folder.resolve(ours));
      } catch (DirectoryNotEmptyException e) {
        // Not ours alone.
      }
    }
  }
}
