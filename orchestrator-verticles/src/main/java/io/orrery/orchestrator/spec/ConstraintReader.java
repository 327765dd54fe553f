package io.orrery.orchestrator.spec;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.constraint.Constraint;
import io.orrery.core.constraint.Fault;
import io.orrery.core.constraint.Kind;
import io.orrery.core.json.Pointer;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.schema.Walk;
import io.orrery.core.space.ParameterShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Reads the constraints of an experiment, and whether they speak of its parameters. */
final class ConstraintReader {
  private static final String KEY = "constraints";
  private static final int MOST = 100;

  private ConstraintReader() {}

  /** Those that could be read; what is wrong with the others has been said. */
  static List<Constraint> read(JsonNode root, ParameterShape shape, Walk walk) {
    List<Constraint> constraints = new ArrayList<>();
    JsonNode texts = root.path(KEY);
    if (texts.size() > MOST) {
      walk.refuse("/" + KEY, "has %d entries, at most %d are taken".formatted(texts.size(), MOST));
      return constraints;
    }
    Map<String, Kind> kinds = shape.kinds();
    for (int i = 0; i < texts.size(); i++) {
      String at = Pointer.child("/" + KEY, i);
      try {
        Constraint constraint = Constraint.read(texts.get(i).asText());
        List<Fault> faults = constraint.check(kinds);
        faults.forEach(fault -> walk.refuse(at, "is wrong at " + fault));
        if (faults.isEmpty()) {
          constraints.add(constraint);
        }
      } catch (ProblemException e) {
        walk.refuse(at, "is wrong at " + e.problem().detail());
      }
    }
    return constraints;
  }
}
