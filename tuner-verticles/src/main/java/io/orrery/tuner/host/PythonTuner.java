package io.orrery.tuner.host;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.bus.contract.Tuners.Suggestion;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Problem;
import io.orrery.core.trial.Parameters;
import io.orrery.core.trial.TrialStatus;
import io.orrery.tuner.python.PythonAlgorithm;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A class of the user's own, in a process of ours: one question, one answer.
 *
 * @param multiThread whether its process makes parameter sets in threads of their own
 */
record PythonTuner(PythonAlgorithm python, boolean multiThread) implements NniAlgorithm {
  /** One whose methods are called one after the other. */
  PythonTuner(PythonAlgorithm python) {
    this(python, false);
  }

  @Override
  public void importData(ArrayNode data) throws InterruptedException {
    ObjectNode question = question("import_data");
    question.set("data", data);
    python.ask(question);
  }

  @Override
  public void unfinished(Map<String, Parameters> records, long lastNumber)
      throws InterruptedException {
    ObjectNode question = question("unfinished").put("last_number", lastNumber);
    ArrayNode list = question.putArray("records");
    records.forEach((id, parameters) ->
        list.addObject()
            .put("parameter_id", id)
            .put("parameter_source", "resumed")
            .set("parameters", json(parameters)));
    python.ask(question);
  }

  @Override
  public List<Suggestion> suggest(int count) throws InterruptedException {
    return python
        .ask(question("suggest").put("count", count))
        .valueStream()
        .limit(count)
        .map(item -> suggestion(item.path("id").asText(), item.path("parameters")))
        .toList();
  }

  @Override
  public boolean thinks() throws InterruptedException {
    return multiThread && python.ask(question("thinking")).booleanValue();
  }

  @Override
  public void result(
      @Nullable String id, Parameters parameters, String trial, JsonNode value, TrialStatus event)
      throws InterruptedException {
    ObjectNode question =
        question("result").put("id", id).put("trial", trial).put("event", event.name());
    question.set("parameters", json(parameters));
    question.set("value", value);
    python.ask(question);
  }

  @Override
  public boolean isBad(@Nullable String id, String trial, ArrayNode history)
      throws InterruptedException {
    ObjectNode question = question("assess").put("id", id).put("trial", trial);
    question.set("history", history);
    return python.ask(question).booleanValue();
  }

  @Override
  public void close() {
    python.close();
  }

  /** What an algorithm suggested, whatever it says that it is. */
  static Suggestion suggestion(String id, JsonNode parameters) {
    if (!parameters.isObject()) {
      throw new Problem.Broken(
              "it suggested something that is not a dict of parameters: " + shortened(parameters))
          .toException();
    }
    return new Suggestion(id, Json.MAPPER.convertValue(parameters, Parameters.class));
  }

  private static String shortened(JsonNode json) {
    String text = json.toString();
    return text.length() <= 100 ? text : text.substring(0, 100) + "…";
  }

  static ObjectNode question(String name) {
    return Json.MAPPER.createObjectNode().put("do", name);
  }

  static JsonNode json(Parameters parameters) {
    return Json.MAPPER.valueToTree(parameters.values());
  }
}
