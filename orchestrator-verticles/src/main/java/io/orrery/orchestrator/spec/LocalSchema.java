package io.orrery.orchestrator.spec;

import io.orrery.core.schema.Field;
import io.orrery.core.schema.Schema;
import io.orrery.core.schema.ValueType;

/** Trials as processes of this machine. */
final class LocalSchema {
  static final Schema SCHEMA =
      PlatformSchemas.COMMON.and(
          Schema.of(
              Field.of("useActiveGpu", new ValueType.Flag(), "whether busy GPUs may be used"),
              Field.of(
                      "maxTrialNumberPerGpu",
                      new ValueType.Whole(1, Integer.MAX_VALUE),
                      "how many trials may share a GPU")
                  .or(1),
              Field.of("gpuIndices", new ValueType.GpuIndices(), "which GPUs may be used"),
              Field.of("reuseMode", new ValueType.Flag(), "whether trials share one environment")
                  .or(false)));

  private LocalSchema() {}
}
