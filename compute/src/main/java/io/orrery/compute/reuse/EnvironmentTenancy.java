package io.orrery.compute.reuse;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The way in which the trials of an experiment live in an environment.
 *
 * @param role as keepers know it
 * @param command the user's, with its places for parameters
 * @param codeDirectory what is shipped to each trial; null when the image has it
 * @param gpus of an environment; 0 when it has none, or they are not counted
 * @param gpusOfTrial that a trial is shown, 0 to {@code gpus}
 * @param trialsPerGpu how many trials may share a GPU, 1 or more
 * @param idle for how long an environment waits for another trial
 */
public record EnvironmentTenancy(
    String role,
    String command,
    @Nullable Path codeDirectory,
    int gpus,
    int gpusOfTrial,
    int trialsPerGpu,
    Duration idle) {
  /** How many trials an environment has room for at the same time. */
  public int places() {
    return gpus == 0 || gpusOfTrial == 0 ? 1 : Math.max(1, gpus * trialsPerGpu / gpusOfTrial);
  }
}
