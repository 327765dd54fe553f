package io.orrery.cli.backup;

import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.Session;
import io.orrery.cli.config.Configured;
import io.orrery.core.file.DirectoryTree;
import io.orrery.core.file.DurableFile;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes a copy of a home into one file: {@code orrery backup FILE}. */
@Command(
    name = "backup",
    description = {
      "Write a backup of the server's home into a file, while the server runs or is down.",
      "All that was acknowledged before the command began is in it. A reader of the file has every"
          + " secret of the server, unless --key keeps their keys apart."
    })
public final class BackupCommand implements Callable<Integer> {
  private final Session session;
  private final Supplier<String> version;

  @Parameters(paramLabel = "FILE", description = "Made anew, readable by its owner alone.")
  private Path file = Path.of("backup.zip");

  @Option(names = "--home", paramLabel = "DIR", description = "The server's home.")
  private @Nullable Path home;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "The server's configuration. Default: orrery.yml in the home.")
  private @Nullable Path config;

  @Option(
      names = "--key",
      paramLabel = "DIR",
      description = "A new directory for the keys of secrets, which are left out of FILE.")
  private @Nullable Path key;

  @Option(
      names = "--without-database",
      description = "The database is in PostgreSQL, and pg_dump has copied it just before.")
  private boolean withoutDatabase;

  /**
   * @param version the program's own
   */
  public BackupCommand(Session session, Supplier<String> version) {
    this.session = session;
    this.version = version;
  }

  @Override
  public Integer call() throws IOException {
    Path named =
        session.terminal().directory().resolve(home == null ? session.terminal().home() : home);
    Path target = session.terminal().directory().resolve(file).toAbsolutePath().normalize();
    if (!Files.isDirectory(named)) {
      throw CommandFailure.refused(named + " is not there: name the server's home with --home");
    }
    Path from = named.toRealPath();
    insistOnAHome(from);
    if (Files.exists(target)) {
      throw CommandFailure.refused(file + " is there already; name a new file");
    }
    if (!Files.isDirectory(target.resolveSibling("."))) {
      throw CommandFailure.refused("the directory of " + file + " is not there; make it first");
    }
    if (target.startsWith(from)) {
      throw CommandFailure.refused(file + " is in the home; a backup belongs elsewhere");
    }
    Path apart = key == null ? null : session.terminal().directory().resolve(key);
    if (apart != null && Files.exists(apart)) {
      throw CommandFailure.refused("--key " + key + " is there already; name a new directory");
    }
    Path scratch = Files.createTempDirectory(target.getParent(), ".orrery-backup");
    try {
      Path part = scratch.resolve("part");
      BackupManifest manifest = written(from, scratch, part);
      if (apart != null) {
        writeKeys(from, apart);
      }
      Files.move(part, target);
      session
          .terminal()
          .say(
              "%s: %d files, %,d bytes"
                  .formatted(file, manifest.entries().size(), Files.size(target)));
      return 0;
    } catch (IOException e) {
      throw CommandFailure.failed("could not back up " + from + ": " + e.getMessage());
    } finally {
      DirectoryTree.delete(scratch);
    }
  }

  private BackupManifest written(Path from, Path scratch, Path part) throws IOException {
    try (OutputStream out =
        Files.newOutputStream(
            Files.createFile(
                part,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))),
            StandardOpenOption.WRITE,
            StandardOpenOption.SYNC)) {
      return new HomeBackup(from, scratch)
          .write(
              new BufferedOutputStream(out, 1 << 20),
              session.terminal().clock().instant(),
              version.get(),
              key == null);
    }
  }

  private void insistOnAHome(Path from) throws IOException {
    boolean there = Files.exists(from.resolve("orrery.db"));
    if (usesPostgres(from)) {
      if (!withoutDatabase) {
        throw CommandFailure.refused(
            "the database is in PostgreSQL: first `pg_dump --format=custom --file=orrery.dump URL`,"
                + " then `orrery backup --without-database FILE`; in this order the files have all"
                + " that the database tells of");
      }
    } else if (!there) {
      throw CommandFailure.refused(
          from + " holds no orrery.db: it is no home, or --home names another");
    }
  }

  private boolean usesPostgres(Path from) {
    Path configuration =
        config == null
            ? from.resolve("orrery.yml")
            : session.terminal().directory().resolve(config);
    if (config != null && !Files.isReadable(configuration)) {
      throw CommandFailure.refused("--config " + config + " cannot be read");
    }
    Configured configured = Configured.read(configuration, session.terminal().environment());
    if (configured.fault() != null) {
      throw CommandFailure.refused(
          "%s cannot be read: %s".formatted(configuration, configured.fault()));
    }
    return configured.text("store.url") != null;
  }

  private static void writeKeys(Path from, Path apart) throws IOException {
    Files.createDirectory(
        apart, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    for (String name : HomeContent.KEYS) {
      if (Files.exists(from.resolve(name))) {
        DurableFile.write(apart.resolve(name), Files.readAllBytes(from.resolve(name)));
      }
    }
  }
}
