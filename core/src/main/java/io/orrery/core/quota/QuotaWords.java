package io.orrery.core.quota;

import io.orrery.core.access.ProjectName;
import java.util.Map;

/** Words for what is scarce. */
public final class QuotaWords {
  private QuotaWords() {}

  /**
   * The reason to wait for a limit of all projects together. Of other projects it names none: who
   * reads it may not see them.
   *
   * @param used by all
   * @param own used by the project
   */
  public static String ofServer(
      Map<QuotaResource, Long> limits,
      Amounts unit,
      QuotaResource scarce,
      ProjectName project,
      Amounts used,
      Amounts own) {
    long limit = limits.getOrDefault(scarce, 0L);
    if (unit.get(scarce) > limit) {
      return "limit of the server: %s at most, and %s are needed at once"
          .formatted(scarce.words(limit), scarce.number(unit.get(scarce)));
    }
    String needed =
        unit.get(scarce) > 1 ? ", " + scarce.number(unit.get(scarce)) + " needed at once" : "";
    return "limit of the server: %s of %s in use, %s by %s%s"
        .formatted(
            scarce.number(used.get(scarce)),
            scarce.words(limit),
            scarce.number(own.get(scarce)),
            project,
            needed);
  }
}
