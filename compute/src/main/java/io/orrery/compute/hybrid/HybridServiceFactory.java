package io.orrery.compute.hybrid;

import io.orrery.compute.section.ServiceSection;
import io.orrery.compute.service.TrainingService;
import io.orrery.compute.service.TrainingServiceFactory;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.problem.Finding;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Opens the platform {@code hybrid}. */
public final class HybridServiceFactory implements TrainingServiceFactory {
  @Override
  public String platform() {
    return "hybrid";
  }

  @Override
  public ServiceSection section() {
    return new HybridSection();
  }

  @Override
  public String summary() {
    return "Several platforms that share the trials: each one goes where it can start soonest.";
  }

  @Override
  public Steps steps() {
    return Steps.AS_THEY_ARE;
  }

  /** It runs nothing itself: its parts say where they can be taken up. */
  @Override
  public Adoption adoption() {
    return Adoption.ANYWHERE;
  }

  /** Nothing of its own: its parts are checked where they belong. */
  @Override
  public List<Finding> check(JobSpec job) {
    return List.of();
  }

  @Override
  public Map<String, JobSpec> parts(JobSpec job) {
    Map<String, JobSpec> parts = new TreeMap<>();
    List<MemberPlatform> members = MemberPlatform.of(job);
    for (int i = 0; i < members.size(); i++) {
      parts.put("/trainingService/services/" + i, members.get(i).alone(job));
    }
    return parts;
  }

  @Override
  public TrainingService open(Surroundings surroundings) {
    return new HybridService(surroundings);
  }
}
