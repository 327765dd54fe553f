package io.orrery.core.id;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.orrery.core.text.Ids;
import java.util.random.RandomGenerator;

/**
 * Names an experiment. Ours are 8 lower-case letters and digits; users and imports may bring any of
 * NNI's: {@code [A-Za-z0-9_-]{1,32}}.
 */
public record ExperimentId(@JsonValue String value) {
  /** The prefix of the owners of steps of runs, which no experiment may have. */
  public static final String OF_RUNS = "run-";

  @JsonCreator
  public ExperimentId {
    if (!valid(value)) {
      throw new IllegalArgumentException("not an experiment id: '" + value + "'");
    }
  }

  /** Whether a text may be an experiment id. */
  public static boolean valid(String value) {
    return Ids.valid(value);
  }

  /** Whether it names the owner of the steps of a run, and so no experiment. */
  public boolean isOfRun() {
    return value.startsWith(OF_RUNS);
  }

  public static ExperimentId random(RandomGenerator random) {
    return new ExperimentId(Ids.random(random, 8));
  }

  @Override
  public String toString() {
    return value;
  }
}
