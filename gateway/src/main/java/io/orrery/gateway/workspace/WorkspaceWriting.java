package io.orrery.gateway.workspace;

import io.orrery.core.file.ConfinedDirectory;
import io.orrery.core.file.SyncedFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/**
 * A file that is being uploaded beside the one that it will replace, in the same directory. It gets
 * its name when it is complete; until then the old content stays. Blocks; ended by {@link #commit}
 * or {@link #abort}.
 */
final class WorkspaceWriting {
  private final WorkspacePath path;
  private final WorkspaceQuota quota;
  private final ConfinedDirectory parent;
  private final String part;
  private final FileChannel content;
  private long written;

  WorkspaceWriting(
      WorkspacePath path,
      WorkspaceQuota quota,
      ConfinedDirectory parent,
      String part,
      FileChannel content) {
    this.path = path;
    this.quota = quota;
    this.parent = parent;
    this.part = part;
    this.content = content;
  }

  void write(byte[] bytes) {
    written += bytes.length;
    quota.add(path.user(), bytes.length);
    WorkspaceStorage.of(
        path,
        () -> {
          ByteBuffer rest = ByteBuffer.wrap(bytes);
          while (rest.hasRemaining()) {
            content.write(rest);
          }
          return true;
        });
  }

  /**
   * Gives the file its name, once it is on the disk.
   *
   * @param expected the tag of what is replaced; null for any
   * @return whether nothing had the name before, and what has it now
   */
  Written commit(@Nullable String expected) {
    return WorkspaceStorage.of(
        path,
        () -> {
          WorkspaceEntry before = before();
          requireReplaceable(path, before, expected);
          content.force(true);
          parent.rename(part, parent, path.name());
          SyncedFile.syncNames(parent.path());
          BasicFileAttributes found = parent.attributes(path.name());
          if (before != null) {
            quota.add(path.user(), -before.bytes());
          }
          close();
          return new Written(before == null, WorkspaceEntry.of(path.name(), found));
        });
  }

  /**
   * Fails with Conflict when what is there is not to be replaced by a file.
   *
   * @param path for the message
   * @param before null for nothing
   * @param expected the tag of what is replaced; null for any
   */
  static void requireReplaceable(
      Object path, @Nullable WorkspaceEntry before, @Nullable String expected) {
    if (before != null && before.kind() == WorkspaceEntry.Kind.DIRECTORY) {
      throw WorkspaceStorage.conflict("%s is a directory.".formatted(path));
    }
    if (expected != null && (before == null || !before.tag().equals(expected))) {
      throw WorkspaceStorage.conflict(
          "%s has changed since it was read: its tag is %s."
              .formatted(path, before == null ? "none, it is gone" : before.tag()));
    }
  }

  /**
   * A complete upload.
   *
   * @param created whether nothing had the name before
   */
  record Written(boolean created, WorkspaceEntry entry) {}

  private @Nullable WorkspaceEntry before() throws IOException {
    try {
      return WorkspaceEntry.of(path.name(), parent.attributes(path.name()));
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  /** Forgets what was written. */
  void abort() {
    WorkspaceStorage.of(
        path,
        () -> {
          try {
            quota.add(path.user(), -written);
            parent.delete(part);
          } catch (NoSuchFileException e) {
            // The person's programs may delete it as well.
            return false;
          } finally {
            close();
          }
          return true;
        });
  }

  private void close() throws IOException {
    quota.end(path.user());
    try (parent) {
      content.close();
    }
  }
}
