package io.orrery.tuner.host;

import io.orrery.core.metric.Direction;
import io.orrery.tuner.assess.Assessor;
import io.orrery.tuner.assess.AssessorFactory;
import io.orrery.tuner.search.Arguments;
import io.orrery.tuner.search.Description;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** Makes assessors that find everything bad, note what they are told, and throw when asked to. */
final class ScriptedAssessor implements AssessorFactory {
  /** What each assessor was told, in order; one list for each that was made. */
  final List<List<String>> lives = Collections.synchronizedList(new ArrayList<>());

  /** How many of the next questions throw. */
  final AtomicInteger faults = new AtomicInteger();

  @Override
  public Description description() {
    return new Description(
        "Scripted",
        List.of(),
        "Does as it is told.",
        Set.copyOf(Description.ALL_TYPES),
        List.of(),
        0);
  }

  @Override
  public Assessor open(Arguments arguments, Direction direction) {
    List<String> life = Collections.synchronizedList(new ArrayList<>());
    lives.add(life);
    return new Assessor() {
      @Override
      public Verdict assess(String trial, List<Double> results) {
        if (faults.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
          throw new IllegalStateException("scripted fault");
        }
        life.add("assess " + trial + " " + results);
        return new Verdict.Bad("as it was told");
      }

      @Override
      public void ended(String trial, boolean succeeded, List<Double> results) {
        life.add(trial + " " + succeeded + " " + results);
      }
    };
  }
}
