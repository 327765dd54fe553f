package io.orrery.compute.service;

import io.orrery.core.access.ProjectName;
import java.nio.file.Path;
import java.util.Map;

/**
 * The setup that an attempt of a step has and one of a trial has not.
 *
 * @param environment variables that its program gets besides those of the trial protocol
 * @param inputs the directory that it reads besides its code, which is its own copy
 * @param outputs the directory that it writes
 * @param project with whose accounts of registries its image is pulled
 */
public record StepSetup(
    Map<String, String> environment, Path inputs, Path outputs, ProjectName project) {
  public StepSetup {
    environment = Map.copyOf(environment);
  }

  /** The names of the variables and not their values, which may be secrets. */
  @Override
  public String toString() {
    return "StepSetup[environment=" + environment.keySet() + "]";
  }
}
