package io.orrery.gateway.workspace;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.id.TrialRef;
import io.orrery.core.model.ModelName;
import io.orrery.core.problem.Problem;
import io.orrery.core.run.RunId;
import io.orrery.gateway.http.Fields;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request to copy files into the directory of a person.
 *
 * @param to the directory to be; null for one below {@code opened}
 */
record CopyRequest(From from, @Nullable String to) {
  private static final int MOST_TEXT = 3_000;
  private static final String EXAMPLE = "{\"from\": {\"run\": \"7f3a\", \"step\": \"train\"}}";
  private static final String FROM =
      "from is a step as {run, step}, a trial as {experiment, trial}, or a version of a model as"
          + " {model, version}";

  private static final List<List<String>> KINDS =
      List.of(List.of("run", "step"), List.of("experiment", "trial"), List.of("model", "version"));

  /** A source of files. */
  sealed interface From {}

  record OfStep(RunId run, String step) implements From {}

  record OfTrial(TrialRef trial) implements From {}

  /**
   * A version of a model.
   *
   * @param version its name, or an alias
   */
  record OfVersion(ModelName model, String version) implements From {}

  /** Reads the body of a request. */
  static CopyRequest read(String text) {
    Fields fields = Fields.of(text, List.of("from", "to"), EXAMPLE);
    ObjectNode from = fields.object("from", MOST_TEXT);
    String to = fields.text("to", MOST_TEXT);
    List<String> keys = from.properties().stream().map(Map.Entry::getKey).sorted().toList();
    if (!KINDS.contains(keys)
        || from.properties().stream().anyMatch(each -> !each.getValue().isTextual())) {
      fields.wrong("from", FROM);
    }
    fields.check();
    return new CopyRequest(from(from), to);
  }

  /** The source that is named; fails with NotFound for a text that cannot be a name. */
  private static From from(ObjectNode json) {
    String run = json.path("run").asText();
    String experiment = json.path("experiment").asText();
    String trial = json.path("trial").asText();
    String model = json.path("model").asText();
    if (json.has("run")) {
      require(RunId.valid(run), "run", run);
      return new OfStep(new RunId(run), json.path("step").asText());
    }
    if (json.has("experiment")) {
      require(ExperimentId.valid(experiment), "experiment", experiment);
      require(TrialId.valid(trial), "trial", trial);
      return new OfTrial(new TrialRef(new ExperimentId(experiment), new TrialId(trial)));
    }
    require(ModelName.valid(model), "model", model);
    return new OfVersion(new ModelName(model), json.path("version").asText());
  }

  private static void require(boolean valid, String kind, String text) {
    if (!valid) {
      throw new Problem.NotFound("There is no %s '%s'.".formatted(kind, text)).toException();
    }
  }
}
