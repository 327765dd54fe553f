package io.orrery.orchestrator.trial;

import io.orrery.core.trial.Parameters;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/** The environment variable that holds a parameter of a trial. */
public final class ParameterVariable {
  /** Linux takes no variable longer than 128 KiB; a parameter beyond is in parameter.cfg alone. */
  private static final int LONGEST = 100_000;

  private static final Pattern OUTSIDE = Pattern.compile("[^A-Z0-9_]");

  private ParameterVariable() {}

  /** The variables of a trial: text as it is, everything else as JSON. */
  public static Map<String, String> all(Parameters parameters) {
    Map<String, String> variables = new HashMap<>();
    parameters
        .values()
        .forEach((name, value) -> {
          String text = TrialCommand.text(value);
          if (text.length() <= LONGEST && text.indexOf('\0') < 0) {
            variables.put(of(name), text);
          }
        });
    return variables;
  }

  /** {@code ORRERY_PARAM_<NAME>}; of two names that differ only in what is replaced, one stands. */
  public static String of(String parameter) {
    return "ORRERY_PARAM_" + OUTSIDE.matcher(parameter.toUpperCase(Locale.ROOT)).replaceAll("_");
  }
}
