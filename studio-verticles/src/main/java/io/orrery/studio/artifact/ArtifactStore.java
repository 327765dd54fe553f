package io.orrery.studio.artifact;

import io.orrery.core.bus.contract.Artifacts;
import io.orrery.core.bus.contract.Artifacts.Stored;
import io.orrery.core.bus.contract.TrialKeepers.Piece;
import io.orrery.core.cache.LeastRecentlyUsed;
import io.orrery.core.digest.Sha256;
import io.orrery.core.file.SyncedFile;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The directory of files that are kept by content: {@code files/ab/abcd…}, where the name is the
 * SHA-256 of the content, and {@code uploads/} for those that are not complete. A file appears
 * whole, by a rename, after it was synced. Servers that work together share the directory. Blocks;
 * thread safe.
 */
final class ArtifactStore {
  private static final String FILES = "files";
  private static final String UPLOADS = "uploads";
  private static final Pattern UPLOAD = Pattern.compile("[0-9a-f]{32}");

  /** Room that is left on the disk for everything else. */
  private static final long LEAST_ROOM = 256L << 20;

  /** Bytes after which an upload is synced, so that its end has little left to sync. */
  private static final long SYNC = 64L << 20;

  /** Uploads whose digest is computed as they come; others are read again at their end. */
  private static final int MOST_RUNNING = 256;

  private static final int BUFFER = 1 << 18;

  private final Path root;
  private final Map<String, Running> running = new LeastRecentlyUsed<>(MOST_RUNNING);

  /** The digest of the first bytes of an upload. */
  private static final class Running {
    final MessageDigest digest = Sha256.begin();
    long bytes;
    long synced;
  }

  ArtifactStore(Path root) {
    this.root = root;
  }

  /** The size of a stored file; NotFound when it is not there. */
  Stored find(String digest) throws IOException {
    try {
      return new Stored(digest, Files.size(file(digest)));
    } catch (NoSuchFileException e) {
      throw missing(digest);
    }
  }

  /** Writes a part of an upload; one that was written before is written again. */
  void add(String upload, long offset, byte[] bytes) throws IOException {
    if (bytes.length > Artifacts.PART) {
      throw refused("a part of an upload has at most %,d bytes".formatted(Artifacts.PART));
    }
    if (offset < 0 || offset + bytes.length > Artifacts.MOST_BYTES) {
      throw new Problem.TooLarge("A file has at most %,d bytes.".formatted(Artifacts.MOST_BYTES))
          .toException();
    }
    Path file = upload(upload);
    Files.createDirectories(root.resolve(UPLOADS));
    if (Files.getFileStore(root).getUsableSpace() - bytes.length < LEAST_ROOM) {
      throw new Problem.TooLarge("The disk of the server has no room for this file.").toException();
    }
    Running digest = running(upload, offset);
    try (FileChannel out =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      if (out.size() < offset) {
        throw refused("bytes before %,d of the upload are missing".formatted(offset));
      }
      write(out, ByteBuffer.wrap(bytes), offset);
      synchronized (digest) {
        if (digest.bytes == offset) {
          digest.digest.update(bytes);
          digest.bytes += bytes.length;
          if (digest.bytes - digest.synced >= SYNC) {
            out.force(false);
            digest.synced = digest.bytes;
          }
        }
      }
    }
  }

  private synchronized Running running(String upload, long offset) {
    Running known = running.get(upload);
    if (known == null || offset == 0) {
      known = new Running();
      running.put(upload, known);
    }
    return known;
  }

  private static void write(FileChannel out, ByteBuffer bytes, long offset) throws IOException {
    long at = offset;
    while (bytes.hasRemaining()) {
      at += out.write(bytes, at);
    }
  }

  /** Makes a stored file of an upload. */
  Stored commit(String upload, long bytes, String wanted) throws IOException {
    Path file = upload(upload);
    if (bytes == 0 && !Files.exists(file)) {
      Files.createDirectories(root.resolve(UPLOADS));
      Files.createFile(file);
    }
    try (FileChannel content =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      if (content.size() != bytes) {
        throw refused("the upload has %,d bytes, not %,d".formatted(content.size(), bytes));
      }
      content.force(true);
    } catch (NoSuchFileException e) {
      throw refused("nothing of this upload is here: send it again");
    }
    String digest = digest(upload, file, bytes);
    if (!wanted.isEmpty() && !digest.equals(wanted)) {
      Files.deleteIfExists(file);
      throw refused("the content is not sha256:" + wanted + " but sha256:" + digest);
    }
    keep(file, digest);
    return new Stored(digest, bytes);
  }

  private String digest(String upload, Path file, long bytes) throws IOException {
    Running known;
    synchronized (this) {
      known = running.remove(upload);
    }
    if (known != null) {
      synchronized (known) {
        if (known.bytes == bytes) {
          return HexFormat.of().formatHex(known.digest.digest());
        }
      }
    }
    MessageDigest digest = Sha256.begin();
    try (InputStream in = Files.newInputStream(file)) {
      byte[] buffer = new byte[BUFFER];
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        digest.update(buffer, 0, read);
      }
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private void keep(Path file, String digest) throws IOException {
    Path directory = directory(digest);
    Files.createDirectories(directory);
    SyncedFile.move(file, directory.resolve(digest));
    SyncedFile.syncNames(root.resolve(FILES));
    SyncedFile.syncNames(root);
  }

  /** A piece of a stored file. */
  Piece read(String digest, long offset, int limit) throws IOException {
    if (offset < 0 || limit < 1 || limit > Artifacts.PART) {
      throw refused("a piece begins at 0 or later and has at most %,d bytes".formatted(limit));
    }
    try (FileChannel content = FileChannel.open(file(digest), StandardOpenOption.READ)) {
      long size = content.size();
      int length = (int) Math.max(0, Math.min(limit, size - offset));
      ByteBuffer bytes = ByteBuffer.allocate(length);
      long at = offset;
      while (bytes.hasRemaining()) {
        int read = content.read(bytes, at);
        if (read < 0) {
          throw new IOException("the file ends at " + at + " of " + size);
        }
        at += read;
      }
      return new Piece(bytes.array(), offset + length, size);
    } catch (NoSuchFileException e) {
      throw missing(digest);
    }
  }

  /** Deletes uploads and files that are older than an instant and not among those in use. */
  int sweep(Set<String> used, Instant before) throws IOException {
    int deleted = delete(root.resolve(UPLOADS), Set.of(), before);
    Path files = root.resolve(FILES);
    if (Files.isDirectory(files)) {
      try (DirectoryStream<Path> all = Files.newDirectoryStream(files)) {
        for (Path directory : all) {
          deleted += delete(directory, used, before);
        }
      }
    }
    return deleted;
  }

  private static int delete(Path directory, Set<String> used, Instant before) throws IOException {
    int deleted = 0;
    if (Files.isDirectory(directory)) {
      try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
        for (Path file : files) {
          if (!used.contains(String.valueOf(file.getFileName()))
              && Files.getLastModifiedTime(file).toInstant().isBefore(before)) {
            deleted += Files.deleteIfExists(file) ? 1 : 0;
          }
        }
      }
    }
    return deleted;
  }

  /** Says of a stored file that it is wanted again, so that no sweep takes it. */
  void touch(String digest, Instant now) throws IOException {
    try {
      Files.setLastModifiedTime(file(digest), FileTime.from(now));
    } catch (NoSuchFileException e) {
      throw missing(digest);
    }
  }

  private Path upload(String name) {
    if (!UPLOAD.matcher(name).matches()) {
      throw refused("an upload is named by 32 hexadecimal digits");
    }
    return root.resolve(UPLOADS).resolve(name);
  }

  private Path file(String digest) {
    if (!Sha256.isHex(digest)) {
      throw refused("a file is named by its SHA-256, 64 lower-case hexadecimal digits");
    }
    return directory(digest).resolve(digest);
  }

  private Path directory(String digest) {
    return root.resolve(FILES).resolve(digest.substring(0, 2));
  }

  private static RuntimeException missing(String digest) {
    return new Problem.NotFound("There is no stored file sha256:" + digest + ".").toException();
  }

  private static RuntimeException refused(String message) {
    return new Problem.Refused(new Finding("", message)).toException();
  }
}
