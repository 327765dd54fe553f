package io.orrery.gateway.workspace;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.Locale;

/**
 * A name in a directory of a person.
 *
 * @param bytes of a file; 0 otherwise
 */
record WorkspaceEntry(String name, Kind kind, long bytes, Instant changedAt) {
  /** A sort of thing that a name stands for. */
  enum Kind {
    FILE,
    DIRECTORY,
    /** A symbolic link, which is not followed. */
    LINK,
    /** A FIFO, socket or device, which is not opened. */
    OTHER
  }

  static WorkspaceEntry of(String name, BasicFileAttributes found) {
    Kind kind =
        found.isRegularFile()
            ? Kind.FILE
            : found.isDirectory()
                ? Kind.DIRECTORY
                : found.isSymbolicLink() ? Kind.LINK : Kind.OTHER;
    return new WorkspaceEntry(
        name, kind, kind == Kind.FILE ? found.size() : 0, found.lastModifiedTime().toInstant());
  }

  /** An entity tag that another content has not, as far as time and size tell. */
  String tag() {
    return "\"%x-%x%09x\"".formatted(bytes, changedAt.getEpochSecond(), changedAt.getNano());
  }

  ObjectNode json() {
    return Json.MAPPER
        .createObjectNode()
        .put("name", name)
        .put("kind", kind.name().toLowerCase(Locale.ROOT))
        .put("bytes", bytes)
        .put("changedAt", changedAt.toString());
  }
}
