package io.orrery.compute.remote;

import io.orrery.compute.service.Keepers.Code;
import io.orrery.compute.service.Keepers.Launch;
import org.jspecify.annotations.Nullable;

/**
 * The order to start an attempt.
 *
 * @param gpus its number of GPUs; null leaves their visibility alone
 */
record Order(Launch launch, Code code, @Nullable Integer gpus) {
  /** Whether the keeper finds its code in storage that is mounted there. */
  boolean isCodeShared() {
    return launch.environment().containsKey(Launch.CODE_ARCHIVE);
  }
}
