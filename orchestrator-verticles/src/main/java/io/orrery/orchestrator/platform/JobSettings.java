package io.orrery.orchestrator.platform;

import java.nio.file.Path;
import java.util.Map;

/**
 * The settings of an attempt that is a step of a run and no trial.
 *
 * @param environment variables that its program gets besides those of the trial protocol
 * @param inputs the directory that it reads besides its code, which is its own copy
 * @param outputs the directory that it writes
 */
public record JobSettings(Map<String, String> environment, Path inputs, Path outputs) {
  public JobSettings {
    environment = Map.copyOf(environment);
  }

  /** The names of the variables and not their values, which may be secrets. */
  @Override
  public String toString() {
    return "JobSettings[environment=" + environment.keySet() + "]";
  }
}
