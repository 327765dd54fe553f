package io.orrery.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/** An event of a watch. */
public sealed interface Change {
  /** The type of a change that tells of an object's end; it stands before the object. */
  String GONE = "DELETED";

  /** An object is there, new or as it is now. */
  record Present(WatchedObject object) implements Change {}

  /** An object has gone. */
  record Gone(Metadata object) implements Change {}

  /** The news that everything up to a version has been delivered. */
  record Bookmark(@Nullable String version) implements Change {}

  /** The stream cannot go on. */
  record Refused(ApiFailure failure) implements Change {}

  /**
   * Reads the line that stands next.
   *
   * @throws JsonScanner.MalformedException when it is none of a watch
   * @throws io.orrery.core.problem.ProblemException when what should be JSON in it is not
   */
  static Change of(JsonScanner skim) {
    String type = null;
    JsonScanner whole = null;
    WatchedObject object = null;
    if (!skim.enter()) {
      throw skim.malformed();
    }
    for (String key = skim.key(); key != null; key = skim.key()) {
      switch (key) {
        case "type" -> type = skim.text();
        case "object" -> {
          whole = skim.copy();
          object = GONE.equals(type) ? WatchedObject.ofGone(skim) : WatchedObject.of(skim);
        }
        default -> skim.skip();
      }
    }
    if ("ERROR".equals(type) && whole != null) {
      JsonNode status = whole.tree();
      return new Refused(ApiFailure.of(status.path("code").intValue(), status.toString(), null));
    }
    if (type == null || object == null) {
      throw skim.malformed();
    }
    return switch (type) {
      case "ADDED", "MODIFIED" -> new Present(object);
      case GONE -> new Gone(object.metadata());
      default -> new Bookmark(object.metadata().version());
    };
  }
}
