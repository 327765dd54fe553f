package io.orrery.compute.command;

import io.orrery.core.trial.ParameterVariable;
import io.orrery.core.trial.Parameters;
import java.util.HashMap;
import java.util.Map;

/** Makes the environment variables that hold the parameters of a trial or of a run. */
public final class ParameterVariables {
  /** Linux takes no variable longer than 128 KiB; a parameter beyond is in parameter.cfg alone. */
  private static final int LONGEST = 100_000;

  private ParameterVariables() {}

  /** The variables of a trial: text as it is, everything else as JSON. */
  public static Map<String, String> all(Parameters parameters) {
    Map<String, String> variables = new HashMap<>();
    parameters
        .values()
        .forEach((name, value) -> {
          String text = TrialCommand.text(value);
          if (text.length() <= LONGEST && text.indexOf('\0') < 0) {
            variables.put(ParameterVariable.of(name), text);
          }
        });
    return variables;
  }
}
