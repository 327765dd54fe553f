package io.orrery.compute.hybrid;

import io.orrery.compute.service.Submission;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.experiment.TrainingServiceSpec;
import io.orrery.core.trial.Parameters;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A platform that shares the trials of an experiment with others.
 *
 * @param name unique within the experiment
 * @param weight above 0
 * @param capacity most attempts there at once, 1 or more; null for as many as it takes
 * @param platform what it is
 * @param section its keys
 */
record MemberPlatform(
    String name,
    double weight,
    @Nullable Integer capacity,
    String platform,
    Map<String, @Nullable Object> section) {
  private static final List<String> OURS = List.of("platform", "name", "weight", "capacity");

  /** The platforms of an experiment, in the order of its list. */
  static List<MemberPlatform> of(JobSpec job) {
    List<MemberPlatform> members = new ArrayList<>();
    if (job.trainingService().settings().values().get("services") instanceof List<?> list) {
      for (Object each : list) {
        if (each instanceof Map<?, ?> section) {
          members.add(of(section));
        }
      }
    }
    return List.copyOf(members);
  }

  private static MemberPlatform of(Map<?, ?> section) {
    Map<String, @Nullable Object> own = new LinkedHashMap<>();
    section.forEach((key, value) -> {
      if (key instanceof String name && !OURS.contains(name)) {
        own.put(name, value);
      }
    });
    String platform = String.valueOf(section.get("platform"));
    return new MemberPlatform(
        section.get("name") instanceof String name ? name : platform,
        section.get("weight") instanceof Number weight ? weight.doubleValue() : 1,
        section.get("capacity") instanceof Number capacity ? capacity.intValue() : null,
        platform,
        own);
  }

  /** A job as if this were its only platform. */
  JobSpec alone(JobSpec job) {
    return job.onPlatform(
        section.get("trialCommand") instanceof String command ? command : job.command(),
        section.get("trialCodeDirectory") instanceof String code ? code : job.codeDirectory(),
        section.get("trialGpuNumber") instanceof Number gpus
            ? Integer.valueOf(gpus.intValue())
            : job.gpuNumber(),
        new TrainingServiceSpec(platform, new Parameters(section)));
  }

  /** An attempt of such an experiment. */
  Submission alone(Submission submission) {
    return submission.with(alone(submission.job()));
  }
}
