package io.orrery.benchmarks.search.curve;

import io.orrery.benchmarks.search.problem.SearchProblem;
import java.util.List;
import java.util.Map;

/** A mode of play on problems with learning curves. */
public interface CurveMode {
  /** The name of the mode. */
  String name();

  /** The key in {@code peers.json} of the peers' figures. */
  String peers();

  /** Returns the players when none is named. */
  List<String> players();

  /**
   * The figures of a report.
   *
   * @return by the name of a figure where it stands in the peers' document: {@code epochsShare},
   *     {@code used}
   */
  Map<String, String> figures();

  /**
   * Plays once.
   *
   * @param name a tuner, a tuner and an assessor as {@code TPE+ASHA}, or an assessor
   * @return the figures by name
   * @throws IllegalArgumentException when there is no player of that name
   */
  Map<String, Double> play(String name, SearchProblem problem, long seed);

  /** The names of the figures as the keys of a line of JSON. */
  Map<String, Object> line(Map<String, Double> figures);
}
