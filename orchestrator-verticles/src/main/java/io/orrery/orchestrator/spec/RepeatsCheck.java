package io.orrery.orchestrator.spec;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.schema.Walk;

/** A refusal of {@code repeats} where the search does not try its best again. */
final class RepeatsCheck {
  private static final String AT = "/tuner/classArgs/repeats";

  private RepeatsCheck() {}

  static void check(ObjectNode root, AlgorithmReader.Search search, Walk walk) {
    if ("Auto".equalsIgnoreCase(search.tuner().name())
        && search.objectives().several()
        && root.at(AT).asBoolean(false)
        && !walk.faultyWithin(AT)) {
      walk.refuse(AT, "must be false here: only a search with one objective tries the best again");
    }
  }
}
