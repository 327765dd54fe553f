package io.orrery.compute.keeper;

import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.problem.Problem;
import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Limits on how much more each attempt may leave here. What it has is counted on the disk when it
 * brings something for the first time, and kept up from then on: so the limits hold whichever
 * server process takes it in.
 *
 * <p>Thread safe. Who adds to an attempt has its turn until that is on the disk: two tries of one
 * piece at the same time must not both be counted.
 */
final class Allowances {
  /** As many as a role of a job may have pods; what these say themselves costs little to keep. */
  static final int MOST_KEEPERS = 10_000;

  /** A disk has places for so many files only, however small they are. */
  static final int MOST_ENTRIES = 100_000;

  /** Of attempts that brought something last; another one is counted again. */
  private static final int MOST_KNOWN = 10_000;

  private static final int TURNS = 64;

  private final KeptLimits limits;
  private final Object[] turns = Stream.generate(Object::new).limit(TURNS).toArray();
  private final Map<AttemptRef, Allowance> known =
      Collections.synchronizedMap(
          new LinkedHashMap<>(16, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<AttemptRef, Allowance> eldest) {
              return size() > MOST_KNOWN;
            }
          });

  Allowances(KeptLimits limits) {
    this.limits = limits;
  }

  /** An addition to an attempt's files. */
  interface Addition<T> {
    /** Asks the allowance first, so that what is refused changes nothing, and tells it after. */
    T add(KeptFiles files, Allowance allowance) throws IOException;
  }

  /** Does it in the attempt's turn. Blocks. */
  <T> T add(AttemptRef attempt, KeptFiles files, Addition<T> addition) throws IOException {
    synchronized (turns[Math.floorMod(attempt.hashCode(), TURNS)]) {
      Allowance allowance = known.get(attempt);
      if (allowance == null) {
        allowance = new Allowance(limits, AttemptUsage.of(files));
        known.put(attempt, allowance);
      }
      try {
        return addition.add(files, allowance);
      } catch (IOException e) {
        // How much of it the disk took, it knows alone.
        known.remove(attempt);
        throw e;
      }
    }
  }

  /** Another server may have added to these attempts: they are counted again. */
  void forget(ExperimentId experiment) {
    synchronized (known) {
      known.keySet().removeIf(attempt -> attempt.trial().experiment().equals(experiment));
    }
  }

  /** The usage of one attempt, and the check whether more of it is taken. */
  static final class Allowance {
    private final KeptLimits limits;
    private AttemptUsage kept;

    Allowance(KeptLimits limits, AttemptUsage kept) {
      this.limits = limits;
      this.kept = kept;
    }

    /**
     * @throws io.orrery.core.problem.ProblemException TooLarge when it may not have that much more
     */
    void check(AttemptUsage more) {
      AttemptUsage all = kept.plus(more);
      if (more.keepers() > 0 && all.keepers() > MOST_KEEPERS) {
        throw tooLarge("An attempt has at most %,d keepers.".formatted(MOST_KEEPERS));
      }
      if (more.logs() > 0 && all.logs() > limits.logs()) {
        throw tooLarge(tooMany("logs", limits.logs(), "trials.logMegabytes"));
      }
      if (more.outputs() > 0 && all.outputs() > limits.outputs()) {
        throw tooLarge(tooMany("files", limits.outputs(), "trials.outputMegabytes"));
      }
      if (more.entries() > 0 && all.entries() > MOST_ENTRIES) {
        throw tooLarge(
            "An attempt leaves at most %,d files and directories; many files go into one archive."
                .formatted(MOST_ENTRIES));
      }
    }

    AttemptUsage kept() {
      return kept;
    }

    /** It is on the disk. */
    void add(AttemptUsage more) {
      kept = kept.plus(more);
    }

    private static String tooMany(String what, long most, String key) {
      return ("The %s of an attempt may have %,d bytes here, those of all its keepers together; more"
              + " are kept where %s of the server's configuration says so.")
          .formatted(what, most, key);
    }

    private static RuntimeException tooLarge(String detail) {
      return new Problem.TooLarge(detail).toException();
    }
  }
}
