package io.orrery.compute.local;

import io.orrery.core.digest.Sha256;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.TrialRef;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The text that all processes of an attempt carry in their environment: {@code
 * <home>/<experiment>/<trial>/<attempt>}, the home as a digest, so that two servers of one machine
 * never take each other's processes for theirs.
 */
final class ProcessMarks {
  /** The environment variable that every process of a trial inherits. */
  static final String VARIABLE = "ORRERY_ATTEMPT";

  private final String prefix;

  ProcessMarks(Path home) {
    this.prefix = Sha256.hex(home.toString(), 8) + "/";
  }

  String of(AttemptRef attempt) {
    return prefix + attempt.trial() + "/" + attempt.number();
  }

  /** The attempt of a mark of this home; null for any other text. */
  @Nullable AttemptRef attempt(String mark) {
    int slash = mark.lastIndexOf('/');
    if (!mark.startsWith(prefix) || slash < prefix.length()) {
      return null;
    }
    try {
      return new AttemptRef(
          TrialRef.parse(mark.substring(prefix.length(), slash)),
          Integer.parseInt(mark.substring(slash + 1)));
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
