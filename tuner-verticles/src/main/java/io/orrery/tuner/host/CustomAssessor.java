package io.orrery.tuner.host;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;
import io.orrery.core.metric.MetricPoint;
import io.orrery.tuner.assess.Assessor.Verdict;
import io.orrery.tuner.python.PythonAlgorithm;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An assessor of the user's own. NNI tells one nothing of trials before a restart; this one is
 * shown each of them whole, so that it knows what it would have known.
 */
record CustomAssessor(PythonAlgorithm python) implements HostedAssessor {
  @Override
  public Verdict assess(String trial, @Nullable String parameterId, List<MetricPoint> points)
      throws InterruptedException {
    return askWhetherBad(python, trial, parameterId, points)
        ? new Verdict.Bad("bad after " + points.size() + " intermediate results")
        : new Verdict.Good();
  }

  @Override
  public void ended(String trial, boolean succeeded, List<MetricPoint> points, boolean seen)
      throws InterruptedException {
    ObjectNode question =
        CustomTuner.question(seen ? "ended" : "past")
            .put("trial", trial)
            .put("succeeded", succeeded);
    question.set("history", history(points));
    python.ask(question);
  }

  @Override
  public void close() {
    python.close();
  }

  static boolean askWhetherBad(
      PythonAlgorithm python, String trial, @Nullable String parameterId, List<MetricPoint> points)
      throws InterruptedException {
    ArrayNode history = history(points);
    ObjectNode question = CustomTuner.question("assess").put("id", parameterId).put("trial", trial);
    question.set("history", history);
    return !history.isEmpty() && python.ask(question).booleanValue();
  }

  private static ArrayNode history(List<MetricPoint> points) {
    ArrayNode history = Json.MAPPER.createArrayNode();
    points.stream()
        .map(point -> CustomTuner.value(point.value()))
        .filter(value -> !value.isNull())
        .forEach(history::add);
    return history;
  }
}
