package io.orrery.core.id;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.orrery.core.text.Ids;
import java.util.random.RandomGenerator;

/**
 * Names a trial within its experiment. Ours are 5 lower-case letters and digits, a letter first;
 * imports may bring {@code [A-Za-z0-9_-]{1,32}}.
 */
public record TrialId(@JsonValue String value) {
  @JsonCreator
  public TrialId {
    if (!valid(value)) {
      throw new IllegalArgumentException("not a trial id: '" + value + "'");
    }
  }

  /** Whether a text may be a trial id. */
  public static boolean valid(String value) {
    return Ids.valid(value);
  }

  public static TrialId random(RandomGenerator random) {
    return new TrialId(Ids.random(random, 5));
  }

  @Override
  public String toString() {
    return value;
  }
}
