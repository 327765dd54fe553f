package io.orrery.core.space;

import io.orrery.core.problem.Finding;
import java.util.ArrayList;
import java.util.List;

/**
 * The findings of one search space: the first {@value #MOST} and the number of the others, so that
 * an answer has a bound however much is wrong.
 */
final class SpaceFindings {
  private static final int MOST = 200;

  private final List<Finding> first = new ArrayList<>();
  private int others;

  void add(Finding finding) {
    if (first.size() < MOST) {
      first.add(finding);
    } else {
      others++;
    }
  }

  /** The number of all findings. */
  int count() {
    return first.size() + others;
  }

  /**
   * The findings to show.
   *
   * @param space the pointer of the space, for a last finding that counts the others
   */
  List<Finding> all(String space) {
    List<Finding> all = new ArrayList<>(first);
    if (others > 0) {
      all.add(new Finding(space, "%,d more are wrong in the same space".formatted(others)));
    }
    return List.copyOf(all);
  }
}
