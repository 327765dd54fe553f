package io.orrery.core.trial;

import java.util.Locale;
import java.util.regex.Pattern;

/** Names the environment variable that holds a parameter of a trial or of a run. */
public final class ParameterVariable {
  private static final Pattern OUTSIDE = Pattern.compile("[^A-Z0-9_]");

  private ParameterVariable() {}

  /** {@code ORRERY_PARAM_<NAME>}; of two names that differ only in what is replaced, one stands. */
  public static String of(String parameter) {
    return "ORRERY_PARAM_" + OUTSIDE.matcher(parameter.toUpperCase(Locale.ROOT)).replaceAll("_");
  }
}
