package io.orrery.orchestrator.quota;

import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.quota.Amounts;
import io.orrery.core.quota.QuotaResource;
import java.util.EnumMap;
import java.util.Map;

/** Reads what one trial of an experiment, or one attempt of a step, is charged. */
public final class TrialCharge {
  private TrialCharge() {}

  /** A trial, and what it is given. */
  public static Amounts of(ExperimentSpec spec) {
    return given(spec).plus(Amounts.of(QuotaResource.TRIALS, 1));
  }

  /** What one attempt is given, as far as its specification says. */
  public static Amounts given(ExperimentSpec spec) {
    Map<QuotaResource, Long> amounts = new EnumMap<>(QuotaResource.class);
    Integer gpus = spec.trialGpuNumber();
    if (gpus != null) {
      amounts.put(QuotaResource.GPU, (long) gpus);
    }
    return new Amounts(amounts);
  }
}
