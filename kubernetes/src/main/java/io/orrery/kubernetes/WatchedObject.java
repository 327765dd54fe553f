package io.orrery.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import org.jspecify.annotations.Nullable;

/**
 * An object as a list or a watch shows it: of a pod's text a tenth, and the rest is passed over.
 *
 * @param status what controllers have written; missing or null while it is new
 */
public record WatchedObject(Metadata metadata, JsonNode status) {
  /** The part of an object that controllers write. */
  public static final String STATUS = "status";

  /** Reads the object that stands next; null when that has no metadata. */
  static @Nullable WatchedObject of(JsonScanner skim) {
    return of(skim, true);
  }

  /** Reads one that has gone: the last status that its controllers wrote is of no use any more. */
  static @Nullable WatchedObject ofGone(JsonScanner skim) {
    return of(skim, false);
  }

  private static @Nullable WatchedObject of(JsonScanner skim, boolean withStatus) {
    if (!skim.enter()) {
      skim.skip();
      return null;
    }
    Metadata metadata = null;
    JsonNode status = MissingNode.getInstance();
    for (String key = skim.key(); key != null; key = skim.key()) {
      if (key.equals("metadata")) {
        metadata = Metadata.of(skim);
      } else if (key.equals(STATUS) && withStatus) {
        status = skim.tree();
      } else {
        skim.skip();
      }
    }
    return metadata == null ? null : new WatchedObject(metadata, status);
  }
}
