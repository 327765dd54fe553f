package io.orrery.benchmarks.search;

import java.util.List;

/** The rules by which a tuner's suggestions are evaluated. */
interface Protocol {
  /** The name of the mode. */
  String name();

  /** After how many results the incumbent is scored, ascending; the last ends the run. */
  List<Integer> checkpoints();

  /**
   * Lets a tuner search until the last checkpoint, or until it has nothing left to suggest.
   *
   * @param session with a fresh tuner
   */
  void play(SearchSession session);
}
