package io.orrery.gateway.trial;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Document;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.trial.Parameters;

/**
 * Parameters as a person sends them, in JSON or YAML: an object of values by name, or one under the
 * single key {@code parameters}, as a trial shows it.
 *
 * @param pointer where in the body they stand
 */
record ChosenParameters(Parameters values, String pointer) {
  /** Refused when they are no object, or neither JSON nor YAML. */
  static ChosenParameters read(String text) {
    JsonNode body = Document.readCore(text).root();
    JsonNode wrapped = body.path("parameters");
    boolean within = body.size() == 1 && wrapped.isObject();
    JsonNode values = within ? wrapped : body;
    if (!values.isObject()) {
      throw new Problem.Refused(
              new Finding("", "the parameters are an object such as {\"lr\": 0.01}"))
          .toException();
    }
    return new ChosenParameters(
        Json.MAPPER.convertValue(values, Parameters.class), within ? "/parameters" : "");
  }

  /** A refusal of the values with its pointers into the body. */
  Throwable placed(Throwable failure) {
    if (failure instanceof ProblemException known
        && known.problem() instanceof Problem.Refused refused
        && !refused.findings().isEmpty()) {
      return Problem.Refused.of(
              refused.findings().stream()
                  .map(f -> new Finding(pointer + f.pointer(), f.message()))
                  .toList())
          .toException();
    }
    return failure;
  }
}
