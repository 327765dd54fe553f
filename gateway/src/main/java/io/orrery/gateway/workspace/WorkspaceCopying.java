package io.orrery.gateway.workspace;

import io.orrery.core.file.ConfinedDirectory;
import io.orrery.core.file.SyncedFile;
import io.orrery.gateway.workspace.CopySource.Item;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;

/**
 * A directory that is being copied beside the name that it will have. It gets the name when it is
 * complete. Links are left out. Blocks; ended by {@link #commit} or {@link #abort}.
 */
final class WorkspaceCopying {
  private static final int PIECE = 256 << 10;
  private static final int EXECUTABLE = 0100;

  private final WorkspacePath path;
  private final WorkspaceQuota quota;
  private final ConfinedDirectory parent;
  private final String part;
  private long written;
  private int files;
  private int entries;
  private int leftOut;

  private WorkspaceCopying(
      WorkspacePath path, WorkspaceQuota quota, ConfinedDirectory parent, String part) {
    this.path = path;
    this.quota = quota;
    this.parent = parent;
    this.part = part;
  }

  /**
   * Makes the directory.
   *
   * @param parent closed at the end
   * @param part a name in the parent that nothing has
   */
  static WorkspaceCopying begin(
      WorkspacePath path, WorkspaceQuota quota, ConfinedDirectory parent, String part)
      throws IOException {
    try {
      parent.make(part);
      return new WorkspaceCopying(path, quota, parent, part);
    } catch (IOException | RuntimeException e) {
      parent.close();
      throw e;
    }
  }

  /**
   * A complete copy.
   *
   * @param leftOut links and other entries that are neither files nor directories
   */
  record Copied(int files, long bytes, int leftOut) {}

  /** Copies a file or directory. */
  void take(Item item) {
    WorkspaceStorage.of(
        path,
        () -> {
          PieceStream content = new PieceStream(item.pieces(), item.bytes());
          WorkspacePath at = WorkspacePath.read(path.user(), item.path());
          switch (item.form()) {
            case FILE -> file(at, content, false);
            case TAR -> unpack(at, content);
          }
          content.verify(item.digest());
          return true;
        });
  }

  /**
   * Unpacks a tar stream.
   *
   * @param at below the directory of the copy
   */
  private void unpack(WorkspacePath at, InputStream content) throws IOException {
    directory(at).close();
    // Not closed: the stream below is verified to its end.
    TarArchiveInputStream tar = new TarArchiveInputStream(content, "UTF-8");
    for (TarArchiveEntry entry; (entry = tar.getNextEntry()) != null; ) {
      WorkspacePath to = at.with(entry.getName());
      if (entry.isDirectory()) {
        count();
        directory(to).close();
      } else if (isPlainFile(entry)) {
        file(to, tar, (entry.getMode() & EXECUTABLE) != 0);
      } else {
        count();
        leftOut++;
      }
    }
  }

  private static boolean isPlainFile(TarArchiveEntry entry) {
    byte kind = entry.getLinkFlag();
    return (kind == TarConstants.LF_NORMAL || kind == TarConstants.LF_OLDNORM) && !entry.isSparse();
  }

  private void count() {
    entries++;
    if (entries > CopySource.MOST_FILES) {
      throw WorkspaceStorage.conflict(
          "There are more than %,d files and directories, which is the most that is copied."
              .formatted(CopySource.MOST_FILES));
    }
  }

  private void file(WorkspacePath to, InputStream content, boolean executable) throws IOException {
    count();
    try (ConfinedDirectory directory = directory(to.parent());
        FileChannel file = directory.create(to.name(), executable)) {
      byte[] piece = new byte[PIECE];
      for (int count; (count = content.read(piece)) >= 0; ) {
        written += count;
        quota.add(path.user(), count);
        ByteBuffer rest = ByteBuffer.wrap(piece, 0, count);
        while (rest.hasRemaining()) {
          file.write(rest);
        }
      }
    }
    files++;
  }

  /** A directory of the copy, made with those above it. */
  private ConfinedDirectory directory(WorkspacePath to) throws IOException {
    return WorkspaceStorage.made(parent.below(part), to.names());
  }

  /** Gives the directory its name; Conflict when another one has it meanwhile. */
  Copied commit() {
    return WorkspaceStorage.of(
        path,
        () -> {
          parent.rename(part, parent, path.name());
          SyncedFile.syncNames(parent.path());
          close();
          return new Copied(files, written, leftOut);
        });
  }

  /** Forgets what was copied. */
  void abort() {
    WorkspaceStorage.of(
        path,
        () -> {
          try {
            quota.add(path.user(), -written);
            parent.deleteTree(part);
          } catch (NoSuchFileException e) {
            // The programs of the person may delete it as well.
            return false;
          } finally {
            close();
          }
          return true;
        });
  }

  private void close() {
    quota.end(path.user());
    parent.close();
  }
}
