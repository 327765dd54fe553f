package io.orrery.compute.kubernetes;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.compute.reuse.EnvironmentTenancy;
import io.orrery.compute.reuse.ReuseSettings;
import io.orrery.compute.reuse.ReusingService;
import io.orrery.compute.reuse.Terms;
import io.orrery.compute.service.TrainingService;
import io.orrery.compute.service.TrainingServiceFactory.Surroundings;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.json.Json;
import io.orrery.kubernetes.StrategicMerge;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Pods that serve many trials: a job whose keeper is an environment. The configuration's reader has
 * seen to it that only trials of a single pod ask for it.
 */
public final class Sharing implements Terms {
  private final Blueprints blueprints;

  private Sharing(Blueprints blueprints) {
    this.blueprints = blueprints;
  }

  /** Opens a platform on a cluster, on which trials share pods where their experiment says so. */
  public static TrainingService open(
      Surroundings surroundings, String platform, Blueprints blueprints) {
    return new ReusingService(
        surroundings,
        platform,
        new Sharing(blueprints),
        below ->
            new JobService(
                below,
                platform,
                (job, served) -> {
                  Blueprint blueprint = blueprints.of(job, served);
                  return ReuseSettings.isEnvironment(job) ? environment(blueprint) : blueprint;
                }));
  }

  @Override
  public EnvironmentTenancy tenancy(JobSpec job) {
    Role role = blueprint(job).roles().getFirst();
    String directory = role.codeDirectory();
    Integer gpus = role.gpus();
    int present = gpus == null ? 0 : gpus;
    Integer each = job.gpuNumber();
    return new EnvironmentTenancy(
        role.name(),
        role.command(),
        directory == null ? null : Path.of(directory),
        present,
        each == null ? present : Math.min(present, each),
        ClusterSettings.of(job).all().path("maxTrialNumberPerGpu").asInt(1),
        ReuseSettings.idle(job));
  }

  @Override
  public Map<String, String> variables(JobSpec job, AttemptRef attempt) {
    return blueprint(job).storage() == null
        ? Map.of()
        : Map.of("ORRERY_OUTPUT_DIRECTORY", Storage.directory(attempt));
  }

  @Override
  public @Nullable String url(JobSpec job, AttemptRef attempt) {
    Storage storage = blueprint(job).storage();
    return storage == null ? null : storage.url(attempt);
  }

  /** As if the cluster had whatever is asked for: what it has makes no difference here. */
  private Blueprint blueprint(JobSpec job) {
    return blueprints.of(job, (cluster, type) -> List.of(type.version()));
  }

  /** The same pod, whose keeper waits for trials. */
  private static Blueprint environment(Blueprint trial) {
    Role role = trial.roles().getFirst();
    ObjectNode pod = trial.pod().deepCopy();
    ObjectNode mode = Json.MAPPER.createObjectNode();
    mode.putObject("spec")
        .putArray("containers")
        .addObject()
        .put("name", trial.container())
        .putArray("env")
        .addObject()
        .put("name", "ORRERY_KEEPER_MODE")
        .put("value", ReuseSettings.ENVIRONMENT);
    StrategicMerge.into(pod, mode);
    return new Blueprint(
        trial.cluster(),
        trial.kind(),
        List.of(role.empty(ReuseSettings.ENVIRONMENT)),
        trial.container(),
        pod,
        trial.serviceAccount(),
        trial.storage(),
        trial.callback(),
        trial.project(),
        trial.notices());
  }
}
