package io.orrery.compute.kubernetes;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.compute.reuse.EnvironmentTenancy;
import io.orrery.compute.reuse.ReuseSettings;
import io.orrery.compute.reuse.ReusingService;
import io.orrery.compute.reuse.Terms;
import io.orrery.compute.service.TrainingService;
import io.orrery.compute.service.TrainingServiceFactory.Surroundings;
import io.orrery.core.experiment.ExperimentSpec;
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
                (spec, served) -> {
                  Blueprint blueprint = blueprints.of(spec, served);
                  return ReuseSettings.isEnvironment(spec) ? environment(blueprint) : blueprint;
                }));
  }

  @Override
  public EnvironmentTenancy tenancy(ExperimentSpec spec) {
    Role role = blueprint(spec).roles().getFirst();
    String directory = role.codeDirectory();
    Integer gpus = role.gpus();
    int present = gpus == null ? 0 : gpus;
    Integer each = spec.job().gpuNumber();
    return new EnvironmentTenancy(
        role.name(),
        role.command(),
        directory == null ? null : Path.of(directory),
        present,
        each == null ? present : Math.min(present, each),
        ClusterSettings.of(spec).all().path("maxTrialNumberPerGpu").asInt(1),
        ReuseSettings.idle(spec));
  }

  @Override
  public Map<String, String> variables(ExperimentSpec spec, AttemptRef attempt) {
    return blueprint(spec).storage() == null
        ? Map.of()
        : Map.of("ORRERY_OUTPUT_DIRECTORY", Storage.directory(attempt));
  }

  @Override
  public @Nullable String url(ExperimentSpec spec, AttemptRef attempt) {
    Storage storage = blueprint(spec).storage();
    return storage == null ? null : storage.url(attempt);
  }

  /** As if the cluster had whatever is asked for: what it has makes no difference here. */
  private Blueprint blueprint(ExperimentSpec spec) {
    return blueprints.of(spec, (cluster, type) -> List.of(type.version()));
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
