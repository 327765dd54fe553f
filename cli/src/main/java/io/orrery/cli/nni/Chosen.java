package io.orrery.cli.nni;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.Api;
import io.orrery.cli.experiment.ExperimentChoice;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Parameters;

/** The optional id that most verbs take. */
final class Chosen {
  @Parameters(
      arity = "0..1",
      paramLabel = "ID",
      description =
          "The experiment's id or the beginning of it. Default: the only one that has not ended.")
  private @Nullable String given;

  JsonNode experiment(Api api) {
    return ExperimentChoice.of(api, given);
  }

  String id(Api api) {
    return ExperimentChoice.idOf(api, given);
  }

  /** As it was typed. */
  @Nullable String given() {
    return given;
  }
}
