package io.orrery.cli.backup;

import io.orrery.core.digest.Sha256;
import io.orrery.core.sql.SqliteFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/** Reads a backup, and compares each file of it with its digest. */
final class HomeRestore implements AutoCloseable {
  private final Path file;
  private final ZipFile archive;
  private final BackupManifest manifest;

  private HomeRestore(Path file, ZipFile archive, BackupManifest manifest) {
    this.file = file;
    this.archive = archive;
    this.manifest = manifest;
  }

  /**
   * Opens a backup.
   *
   * @throws IOException when it is none, is cut off, or is of another format
   */
  static HomeRestore open(Path file) throws IOException {
    ZipFile archive;
    try {
      archive = new ZipFile(file.toFile());
    } catch (ZipException e) {
      throw new IOException(file + " is no backup, or its end is missing: " + e.getMessage(), e);
    }
    try {
      ZipEntry entry = archive.getEntry(BackupManifest.NAME);
      if (entry == null) {
        throw new IOException(file + " is no backup: it has no " + BackupManifest.NAME);
      }
      try (InputStream in = archive.getInputStream(entry)) {
        return new HomeRestore(file, archive, BackupManifest.read(in.readAllBytes()));
      }
    } catch (IOException | RuntimeException e) {
      archive.close();
      throw e;
    }
  }

  BackupManifest manifest() {
    return manifest;
  }

  /**
   * Writes all files below an empty directory, and looks for damage in the databases.
   *
   * @throws IOException when one is not what was backed up; what was written is of no use then
   */
  void writeTo(Path target) throws IOException {
    for (BackupManifest.Entry entry : manifest.entries()) {
      Path place = target.resolve(entry.path()).normalize();
      if (!place.startsWith(target) || place.equals(target)) {
        throw new IOException(file + " has a file outside of the home: " + entry.path());
      }
      Files.createDirectories(place.getParent());
      write(entry, place);
      Files.setPosixFilePermissions(place, PosixFilePermissions.fromString(entry.mode()));
    }
    for (String name : List.of(HomeContent.DATABASE, HomeContent.CHUNKS)) {
      Path database = target.resolve(name);
      if (Files.exists(database)) {
        try (SqliteFile opened = SqliteFile.open(database)) {
          List<String> damage = opened.damage();
          if (!damage.isEmpty()) {
            throw new IOException(name + " of " + file + " is damaged: " + damage.getFirst());
          }
        }
      }
    }
  }

  private void write(BackupManifest.Entry entry, Path place) throws IOException {
    ZipEntry packed = archive.getEntry(entry.path());
    if (packed == null) {
      throw new IOException(file + " lacks " + entry.path());
    }
    MessageDigest digest = Sha256.begin();
    long size = 0;
    try (InputStream in = archive.getInputStream(packed);
        OutputStream out =
            Files.newOutputStream(place, StandardOpenOption.CREATE_NEW, StandardOpenOption.SYNC)) {
      byte[] buffer = new byte[1 << 20];
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        digest.update(buffer, 0, read);
        out.write(buffer, 0, read);
        size += read;
      }
    }
    if (size != entry.size() || !HexFormat.of().formatHex(digest.digest()).equals(entry.sha256())) {
      throw new IOException(entry.path() + " of " + file + " is not what was backed up");
    }
  }

  @Override
  public void close() throws IOException {
    archive.close();
  }
}
