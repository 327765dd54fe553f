package io.orrery.kubernetes;

import io.orrery.core.problem.Problem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A page of a list.
 *
 * @param version as of which it lists
 * @param more what to ask for the next page with; empty when it is the last one
 */
public record Listing(List<WatchedObject> objects, String version, String more) {
  private static final Duration LATER = Duration.ofSeconds(15);

  /**
   * @throws io.orrery.core.problem.ProblemException Busy when it is none: something stands before
   *     the API server
   */
  static Listing of(JsonScanner text) {
    try {
      return read(text);
    } catch (JsonScanner.MalformedException e) {
      throw new Problem.Busy("what should be a list of the API server is none", LATER)
          .toException();
    }
  }

  private static Listing read(JsonScanner skim) {
    List<WatchedObject> objects = new ArrayList<>();
    String version = null;
    String more = null;
    if (!skim.enter()) {
      throw skim.malformed();
    }
    for (String key = skim.key(); key != null; key = skim.key()) {
      if (key.equals("metadata") && skim.enter()) {
        for (String of = skim.key(); of != null; of = skim.key()) {
          switch (of) {
            case "resourceVersion" -> version = skim.text();
            case "continue" -> more = skim.text();
            default -> skim.skip();
          }
        }
      } else if (key.equals("items") && skim.enterList()) {
        while (skim.next()) {
          WatchedObject object = WatchedObject.of(skim);
          if (object != null) {
            objects.add(object);
          }
        }
      } else {
        skim.skip();
      }
    }
    return new Listing(objects, version == null ? "" : version, more == null ? "" : more);
  }
}
