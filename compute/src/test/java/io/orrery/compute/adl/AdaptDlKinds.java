package io.orrery.compute.adl;

import io.orrery.compute.kubernetes.Blueprint;
import io.orrery.compute.kubernetes.JobKind;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.json.Json;

/** The kinds of this package, for tests that look at all kinds. */
public final class AdaptDlKinds {
  private AdaptDlKinds() {}

  /** AdaptDLJobs with everything that may go with them. */
  public static JobKind adaptive() {
    return new AdaptDlJob(
        true,
        new AdaptDlJob.Volumes(true, "fast", "2Gi", true, null, Json.MAPPER.createArrayNode()));
  }

  /** What jobs of an experiment are made from. */
  public static Blueprint blueprint(JobSpec job) {
    return AdaptDlServiceFactory.blueprint(job);
  }
}
