package io.orrery.core.run;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.text.Ids;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;

/**
 * The id of a run.
 *
 * @param value 1 to {@value #MOST_CHARACTERS} lower-case letters and digits
 */
public record RunId(String value) implements Comparable<RunId> {
  /** The most characters of an id. */
  public static final int MOST_CHARACTERS = 24;

  private static final Pattern ID = Pattern.compile("[a-z0-9]{1,24}");

  /**
   * @throws IllegalArgumentException when the id is not one
   */
  @JsonCreator
  public RunId {
    if (!valid(value)) {
      throw new IllegalArgumentException("'" + value + "' is no id of a run");
    }
  }

  /** Whether a text may be the id of a run. */
  public static boolean valid(String text) {
    return ID.matcher(text).matches();
  }

  /** An id of 10 characters. */
  public static RunId random(RandomGenerator random) {
    return new RunId(Ids.random(random, 10));
  }

  /**
   * The owner of the run's attempts on a training service; no experiment may have an id with this
   * prefix.
   */
  public ExperimentId owner() {
    return new ExperimentId(ExperimentId.OF_RUNS + value);
  }

  /** The run that {@link #owner} was made for. */
  public static RunId ofOwner(ExperimentId owner) {
    return new RunId(owner.value().substring(ExperimentId.OF_RUNS.length()));
  }

  @Override
  public int compareTo(RunId other) {
    return value.compareTo(other.value);
  }

  @JsonValue
  @Override
  public String toString() {
    return value;
  }
}
