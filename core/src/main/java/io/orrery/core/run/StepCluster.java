package io.orrery.core.run;

/**
 * A cluster of the server's configuration on which steps with an image run.
 *
 * @param platform the training service that runs them there
 */
public record StepCluster(String name, String platform) {
  /** Whether its steps are pods, and not containers of this machine. */
  public boolean hasPods() {
    return platform.equals(StepContainer.PODS);
  }
}
