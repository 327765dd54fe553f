package io.orrery.orchestrator.trial;

import java.util.Locale;

/** Where a trial finds a parameter in its environment. */
public final class ParameterVariable {
  private ParameterVariable() {}

  /** {@code ORRERY_PARAM_<NAME>}; of two names that differ only in what is replaced, one stands. */
  public static String of(String parameter) {
    return "ORRERY_PARAM_" + parameter.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9_]", "_");
  }
}
