package io.orrery.tuner.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.core.bus.contract.Trials.Settled;
import io.orrery.core.bus.contract.Tuners.Suggestion;
import io.orrery.core.experiment.AlgorithmSpec;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.json.Json;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.space.SearchSpace;
import io.orrery.core.trial.Parameters;
import io.orrery.core.trial.TrialStatus;
import io.orrery.tuner.python.Interpreter;
import io.orrery.tuner.python.UsersClass;
import io.orrery.tuner.search.Spaces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A user's class in a real process, as the supervisor deals with it. */
class CustomTunerIT {
  private static final String NOTES =
      """
      import os
      from nni.tuner import Tuner

      class Notes(Tuner):
          def __init__(self, start=0):
              self.start = start

          def update_search_space(self, search_space):
              print('space', sorted(search_space))

          def generate_parameters(self, parameter_id, **kwargs):
              return {'p': self.start + parameter_id}

          def receive_trial_result(self, parameter_id, parameters, value, **kwargs):
              print('result', parameter_id, parameters, value)

          def trial_end(self, parameter_id, success, **kwargs):
              print('end', parameter_id, success)

          def import_data(self, data):
              print('import', [(entry['parameter']['p'], entry['value']) for entry in data])
      """;

  private static final ExperimentId EXPERIMENT = new ExperimentId("exp1");
  private static final SearchSpace SPACE = Spaces.one("randint", "[0, 100]");

  @TempDir Path temp;
  private @Nullable CustomTuner tuner;

  @AfterEach
  void close() {
    if (tuner != null) {
      tuner.close();
    }
  }

  private CustomTuner open(SearchSpace space, String arguments) throws Exception {
    close();
    Files.writeString(temp.resolve("notes.py"), NOTES);
    AlgorithmSpec spec =
        new AlgorithmSpec(null, "notes.Notes", temp.toString(), Spaces.read(arguments));
    Interpreter python =
        new Interpreter(
            List.of("python3"),
            Path.of("../trial-sdk/python").toAbsolutePath().normalize(),
            temp,
            System.getenv());
    tuner =
        new CustomTuner(
            new PythonTuner(new UsersClass("tuner", spec).open(python, EXPERIMENT, space, true)),
            space);
    return tuner;
  }

  private List<String> printed() throws IOException {
    return Files.readAllLines(temp.resolve("exp1/log/tuner.stdout"));
  }

  @Test
  void itsOwnTrialsAreToldAndThoseOfBeforeImported() throws Exception {
    CustomTuner custom = open(SPACE, "{}");
    custom.remember(suggestion("0", 5));
    custom.remember(suggestion("1", 6));
    custom.learn(settled("0", 5, "0.5", TrialStatus.SUCCEEDED));
    custom.learn(settled(null, 9, "{\"default\": 0.9, \"loss\": 1}", TrialStatus.SUCCEEDED));
    custom.learn(settled(null, 10, "NaN", TrialStatus.SUCCEEDED));

    assertThat(custom.suggest(2, 2).items())
        .extracting(Suggestion::parameterId)
        .containsExactly("2", "3");
    custom.learn(settled("3", 3, "0.25", TrialStatus.SUCCEEDED));
    custom.learn(settled("2", 2, null, TrialStatus.FAILED));
    custom.learn(settled("1", 6, "0.75", TrialStatus.SUCCEEDED));
    custom.suggest(1, 4);

    assertThat(printed())
        .containsExactly(
            "space ['p']",
            "import [(5, 0.5), (9, {'default': 0.9, 'loss': 1})]",
            "result 3 {'p': 3} 0.25",
            "end 3 True",
            "end 2 False",
            "import [(6, 0.75)]");
  }

  @Test
  void afterAChangeOfTheSpaceItGetsTheResultsThatStillFit() throws Exception {
    CustomTuner custom = open(Spaces.one("randint", "[0, 8]"), "{}");
    custom.learn(settled("0", 5, "0.5", TrialStatus.SUCCEEDED));
    custom.learn(settled("1", 9, "0.9", TrialStatus.SUCCEEDED));
    custom.suggest(1, 2);
    assertThat(printed()).containsExactly("space ['p']", "import [(5, 0.5)]");
  }

  @Test
  void whatBreaksAConstraintIsDeclined() throws Exception {
    CustomTuner custom = open(Spaces.under(SPACE, "p % 3 == 0"), "{}");
    assertThat(custom.suggest(3, 0).items())
        .extracting(Suggestion::parameters)
        .containsExactly(parameters(0), parameters(3), parameters(6));
    assertThat(printed())
        .containsExactly("space ['p']", "end 1 False", "end 2 False", "end 4 False", "end 5 False");

    assertThatThrownBy(() -> open(Spaces.under(SPACE, "p < 3"), "{\"start\": 50}").suggest(1, 0))
        .hasMessage("it suggested what breaks the constraints 1000 times in a row");
  }

  private static Suggestion suggestion(String id, int p) {
    return new Suggestion(id, parameters(p));
  }

  private static Parameters parameters(int p) {
    return Spaces.read("{\"p\": " + p + "}");
  }

  private static Settled settled(
      @Nullable String id, int p, @Nullable String value, TrialStatus status) {
    return new Settled(
        1,
        new TrialId("abcde"),
        id,
        parameters(p),
        status,
        value == null ? null : MetricValue.of(Json.parse(value)));
  }
}
