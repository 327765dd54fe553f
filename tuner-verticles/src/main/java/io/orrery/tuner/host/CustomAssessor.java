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
    ArrayNode history = history(points);
    return !history.isEmpty() && new PythonTuner(python).isBad(parameterId, trial, history)
        ? new Verdict.Bad("bad after " + points.size() + " intermediate results")
        : new Verdict.Good();
  }

  @Override
  public void ended(String trial, boolean succeeded, List<MetricPoint> points, boolean seen)
      throws InterruptedException {
    ObjectNode question =
        PythonTuner.question(seen ? "ended" : "past")
            .put("trial", trial)
            .put("succeeded", succeeded);
    question.set("history", history(points));
    python.ask(question);
  }

  @Override
  public void close() {
    python.close();
  }

  static ArrayNode history(List<MetricPoint> points) {
    ArrayNode history = Json.MAPPER.createArrayNode();
    points.stream()
        .map(point -> CustomTuner.value(point.value()))
        .filter(value -> !value.isNull())
        .forEach(history::add);
    return history;
  }
}
