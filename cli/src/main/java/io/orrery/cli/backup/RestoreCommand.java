package io.orrery.cli.backup;

import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.Session;
import io.orrery.core.file.DirectoryTree;
import io.orrery.core.file.DurableFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Makes a home of a backup: {@code orrery restore FILE}. */
@Command(
    name = "restore",
    description = {
      "Make a home of a backup, and compare every file with its digest.",
      "The home must be empty or missing. It appears whole, or not at all."
    })
public final class RestoreCommand implements Callable<Integer> {
  private final Session session;

  @Parameters(paramLabel = "FILE", description = "What `orrery backup` wrote.")
  private Path file = Path.of("backup.zip");

  @Option(names = "--home", paramLabel = "DIR", description = "The home to make.")
  private @Nullable Path home;

  @Option(
      names = "--key",
      paramLabel = "DIR",
      description = "The directory with the keys, where the backup was made with --key.")
  private @Nullable Path key;

  @Option(names = "--check", description = "Look whether FILE is whole, and make no home.")
  private boolean check;

  public RestoreCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws IOException {
    Path here = session.terminal().directory();
    Path target =
        here.resolve(home == null ? session.terminal().home() : home).toAbsolutePath().normalize();
    Path backup = here.resolve(file);
    if (!Files.isReadable(backup)) {
      throw CommandFailure.refused(file + " is not there, or may not be read");
    }
    if (!check && !isEmpty(target)) {
      throw CommandFailure.refused(
          target + " is not empty; move it away, or name another with --home");
    }
    Path beside = check ? backup.toAbsolutePath().getParent() : target.getParent();
    Files.createDirectories(beside);
    Path fresh = Files.createTempDirectory(beside, ".orrery-restore");
    try (HomeRestore restore = HomeRestore.open(backup)) {
      BackupManifest manifest = restore.manifest();
      if (!check && !manifest.keys() && key == null) {
        throw CommandFailure.refused(
            file + " was made without the keys of secrets; name their directory with --key");
      }
      restore.writeTo(fresh);
      if (!check) {
        putKeys(fresh);
        Files.deleteIfExists(target);
        Files.move(fresh, target, StandardCopyOption.ATOMIC_MOVE);
      }
      session.terminal().say(said(manifest, target));
      return 0;
    } catch (IOException e) {
      throw CommandFailure.failed(String.valueOf(e.getMessage()));
    } finally {
      if (Files.exists(fresh)) {
        DirectoryTree.delete(fresh);
      }
    }
  }

  private String said(BackupManifest manifest, Path target) {
    String what =
        "%d files of %s, by version %s"
            .formatted(manifest.entries().size(), manifest.taken(), manifest.version());
    String dump =
        manifest.database() ? "" : "; the database is apart: pg_restore what pg_dump wrote before";
    return (check ? file + " is whole: " : target + " has ") + what + dump;
  }

  private void putKeys(Path fresh) throws IOException {
    if (key == null) {
      return;
    }
    Path apart = session.terminal().directory().resolve(key);
    if (!Files.exists(apart.resolve("secret"))) {
      throw CommandFailure.refused("--key " + key + " holds no key: it has no file `secret`");
    }
    for (String name : HomeContent.KEYS) {
      if (Files.exists(apart.resolve(name))) {
        DurableFile.write(fresh.resolve(name), Files.readAllBytes(apart.resolve(name)));
      }
    }
  }

  private static boolean isEmpty(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return true;
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.findAny().isEmpty();
    }
  }
}
