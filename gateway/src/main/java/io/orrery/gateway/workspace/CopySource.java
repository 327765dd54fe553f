package io.orrery.gateway.workspace;

import io.orrery.gateway.workspace.PieceStream.Pieces;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The files of a step, a trial or a version of a model, as a person may read them.
 *
 * @param description for messages, such as {@code step train of run 7f3a}
 * @param name the name of the directory that the files are copied to, unless the request has one
 */
record CopySource(String description, String name, List<Item> items) {
  /** The most files that are copied. */
  static final int MOST_FILES = 10_000;

  CopySource {
    items = List.copyOf(items);
  }

  /** The form in which an item is kept. */
  enum Form {
    FILE,
    /** A directory as a tar stream. */
    TAR
  }

  /**
   * A file, or a directory.
   *
   * @param path below the directory that it is copied to
   * @param bytes as it is kept
   * @param digest SHA-256 of what is kept; null when none is known
   */
  record Item(String path, Form form, long bytes, @Nullable String digest, Pieces pieces) {}

  long bytes() {
    return items.stream().mapToLong(Item::bytes).sum();
  }
}
