package io.orrery.cli.backup;

import io.orrery.core.digest.Sha256;
import io.orrery.core.sql.SqliteFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Writes a backup of a home, while its server runs or while none does.
 *
 * <p>The cut is consistent by its order. The database is read first, as of one moment. A trial's
 * end is committed there after its points are in the metric log, and a row after the file that it
 * names; so the log and the files, read later, have all that the database tells of. The metric log
 * is read before its chunks: points leave the log only when they are in the chunks. Points that are
 * in both are moved again when such a home is opened.
 */
final class HomeBackup {
  private final Path home;
  private final Path scratch;
  private final List<BackupManifest.Entry> entries = new ArrayList<>();

  /**
   * @param scratch an empty directory for copies of the databases
   */
  HomeBackup(Path home, Path scratch) {
    this.home = home;
    this.scratch = scratch;
  }

  /**
   * Writes it.
   *
   * @param keys whether the keys of secrets are written as well
   */
  BackupManifest write(OutputStream out, Instant taken, String version, boolean keys)
      throws IOException {
    boolean database;
    try (ZipOutputStream archive = new ZipOutputStream(out)) {
      archive.setLevel(Deflater.BEST_SPEED);
      database = addDatabase(archive, HomeContent.DATABASE);
      HomeContent content = new HomeContent(home);
      for (String name : content.logFiles()) {
        addFile(archive, name);
      }
      database |= addDatabase(archive, HomeContent.CHUNKS);
      for (String name : content.otherFiles()) {
        if (keys || !HomeContent.KEYS.contains(name)) {
          addFile(archive, name);
        }
      }
      BackupManifest manifest = new BackupManifest(taken, version, database, keys, entries);
      archive.putNextEntry(new ZipEntry(BackupManifest.NAME));
      archive.write(manifest.bytes());
      archive.closeEntry();
      return manifest;
    }
  }

  /** Adds a copy of a database as of one moment; false when there is none. */
  private boolean addDatabase(ZipOutputStream archive, String name) throws IOException {
    Path file = home.resolve(name);
    if (!Files.exists(file)) {
      return false;
    }
    Path copy = scratch.resolve(file.getFileName());
    try (SqliteFile source = SqliteFile.open(file)) {
      source.copyTo(copy);
    }
    add(archive, name, copy, "rw-------");
    Files.delete(copy);
    return true;
  }

  /** Passes over a file that is gone: its points are in the chunks, or a trial has cleaned up. */
  private void addFile(ZipOutputStream archive, String name) throws IOException {
    Path file = home.resolve(name);
    try {
      String mode = PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
      add(archive, name, file, mode);
    } catch (NoSuchFileException gone) {
      return;
    }
  }

  private void add(ZipOutputStream archive, String name, Path file, String mode)
      throws IOException {
    MessageDigest digest = Sha256.begin();
    long size = 0;
    try (InputStream in = Files.newInputStream(file)) {
      archive.putNextEntry(new ZipEntry(name));
      byte[] buffer = new byte[1 << 16];
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        digest.update(buffer, 0, read);
        archive.write(buffer, 0, read);
        size += read;
      }
    }
    archive.closeEntry();
    String hex = HexFormat.of().formatHex(digest.digest());
    entries.add(new BackupManifest.Entry(name, size, hex, mode));
  }
}
