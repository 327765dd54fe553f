package io.orrery.orchestrator.spec;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.orrery.core.experiment.AlgorithmSpec;
import io.orrery.core.metric.Direction;
import io.orrery.core.metric.Objective;
import io.orrery.core.metric.Objectives;
import io.orrery.core.schema.Shown;
import io.orrery.core.schema.ValueType;
import io.orrery.core.schema.Walk;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads what searches and in which direction. Whether an algorithm exists and takes its arguments
 * is the tuner module's knowledge and not asked here; {@code optimize_mode} is, because it is the
 * experiment's direction even for a tuner that ignores it.
 */
final class AlgorithmReader {
  private static final String MODE = "optimize_mode";

  /** With more than these, hardly any result dominates another. */
  private static final int MOST_OBJECTIVES = 10;

  private final Walk walk;

  AlgorithmReader(Walk walk) {
    this.walk = walk;
  }

  /**
   * The requested algorithms and objectives.
   *
   * @param assessor equal to the tuner when that is an advisor of the user's own
   */
  record Search(AlgorithmSpec tuner, @Nullable AlgorithmSpec assessor, Objectives objectives) {
    boolean judgesItself() {
      return tuner.className() != null && tuner.equals(assessor);
    }
  }

  /**
   * Reads the sections and completes them in the canonical form.
   *
   * @return usable only when nothing was found wrong
   */
  Search read(ObjectNode root) {
    boolean advisor = root.has("advisor");
    moveAdvisor(root);
    fillIn(root);
    JsonNode tuner = root.path("tuner");
    JsonNode assessor = root.path("assessor");
    check(tuner, "/tuner");
    check(assessor, "/assessor");
    Objectives objectives = objectives(root, tuner, assessor);
    if (advisor && tuner.has("className")) {
      // Only this key says that it judges trials as well.
      root.set("advisor", root.remove("tuner"));
      return new Search(spec(tuner), spec(tuner), objectives);
    }
    boolean threads = root.path("multiThread").booleanValue();
    if (threads && tuner.has("name")) {
      walk.notice("multiThread has no effect on a built-in tuner.");
    }
    return new Search(
        spec(tuner, threads), assessor.isObject() ? spec(assessor) : null, objectives);
  }

  private void moveAdvisor(ObjectNode root) {
    JsonNode advisor = root.remove("advisor");
    if (advisor == null) {
      return;
    }
    if (root.has("tuner")) {
      walk.refuse("/advisor", "and tuner exclude each other: an advisor is a tuner");
      return;
    }
    if (root.has("assessor") && advisor.has("className")) {
      walk.refuse("/assessor", "and advisor exclude each other: an advisor assesses itself");
    }
    walk.places().move("/advisor", "/tuner");
    root.set("tuner", advisor);
  }

  /** A file without a tuner gets the one that chooses by the space. */
  private void fillIn(ObjectNode root) {
    JsonNode given = root.path("tuner");
    boolean unnamed = !given.has("name") && !given.has("className") && !given.has("codeDirectory");
    if (unnamed && !walk.excused("/tuner/name") && !walk.faultyAt("/tuner")) {
      root.withObjectProperty("tuner").put("name", AlgorithmSpec.DEFAULT_TUNER);
      walk.notice(
          "No tuner is named: %s searches (tuner: {name: %s})."
              .formatted(AlgorithmSpec.DEFAULT_TUNER, AlgorithmSpec.DEFAULT_TUNER));
    }
  }

  private void check(JsonNode section, String at) {
    if (!section.isObject()) {
      return;
    }
    boolean named = section.has("name");
    if (named && (section.has("className") || section.has("codeDirectory"))) {
      walk.refuse(
          at + "/name",
          "and className with codeDirectory exclude each other: the one is for a built-in"
              + " algorithm, the other for your own");
    } else if (!named && !section.has("className") && !walk.excused(at + "/name")) {
      walk.refuse(
          at + "/name",
          "is missing: the name of a built-in algorithm, or else className and codeDirectory");
    } else if (!named && !section.has("codeDirectory") && walk.clean()) {
      JsonNode here =
          new ValueType.Directory(true).read(TextNode.valueOf("."), at + "/codeDirectory", walk);
      ((ObjectNode) section).set("codeDirectory", here);
    }
  }

  private Objectives objectives(ObjectNode root, JsonNode tuner, JsonNode assessor) {
    Direction ofTuner = mode(tuner, "/tuner");
    Direction ofAssessor = mode(assessor, "/assessor");
    Direction mode = ofTuner != null ? ofTuner : ofAssessor;
    if (ofTuner != null && ofAssessor != null && ofTuner != ofAssessor) {
      walk.notice(
          "The tuner is to %s and the assessor to %s: the assessor will stop what the tuner calls good."
              .formatted(ofTuner.text(), ofAssessor.text()));
    }
    List<Objective> listed = listed(root.path("objectives"));
    if (!listed.isEmpty()) {
      Direction goal = listed.getFirst().goal();
      if (mode != null && mode != goal) {
        walk.refuse(
            "/objectives/0/goal", "is " + goal.text() + " while " + MODE + " is " + mode.text());
      }
      if (listed.size() > 1 && assessor.isObject()) {
        walk.notice(
            "The assessor looks at the first objective, '%s', alone: it may stop trials that would be good in another."
                .formatted(listed.getFirst().metric()));
      }
      return new Objectives(listed);
    }
    if (mode != null) {
      return Objectives.of(mode);
    }
    walk.notice(
        "No direction is set: larger results count as better. Set "
            + MODE
            + " in the tuner's classArgs to minimize for the other direction.");
    return Objectives.of(Direction.MAXIMIZE);
  }

  private @Nullable Direction mode(JsonNode section, String at) {
    JsonNode mode = section.path("classArgs").path(MODE);
    if (mode.isMissingNode() || mode.isNull()) {
      return null;
    }
    Direction direction = direction(mode);
    if (direction != null) {
      return direction;
    }
    walk.refuse(
        at + "/classArgs/" + MODE, "must be maximize or minimize, this is " + Shown.of(mode));
    return null;
  }

  /** Those that are well formed, in their order; what is wrong with the others was said. */
  private List<Objective> listed(JsonNode objectives) {
    if (objectives.size() > MOST_OBJECTIVES) {
      walk.refuse("/objectives", "are at most %d".formatted(MOST_OBJECTIVES));
      return List.of();
    }
    List<Objective> listed = new ArrayList<>();
    Set<String> metrics = new HashSet<>();
    for (int i = 0; i < objectives.size(); i++) {
      JsonNode metric = objectives.get(i).path("metric");
      Direction goal = direction(objectives.get(i).path("goal"));
      if (metric.isTextual() && goal != null) {
        listed.add(new Objective(metric.textValue(), goal));
        if (!metrics.add(metric.textValue())) {
          walk.refuse(
              "/objectives/" + i + "/metric", "'%s' is listed twice".formatted(metric.textValue()));
        }
      }
    }
    return listed;
  }

  private static @Nullable Direction direction(JsonNode word) {
    return Stream.of(Direction.values())
        .filter(direction -> direction.text().equals(word.textValue()))
        .findFirst()
        .orElse(null);
  }

  private static AlgorithmSpec spec(JsonNode section) {
    return spec(section, false);
  }

  private static AlgorithmSpec spec(JsonNode section, boolean threads) {
    return new AlgorithmSpec(
        section.path("name").textValue(),
        section.path("className").textValue(),
        section.path("codeDirectory").textValue(),
        JsonValues.parameters(section.path("classArgs")),
        threads);
  }
}
