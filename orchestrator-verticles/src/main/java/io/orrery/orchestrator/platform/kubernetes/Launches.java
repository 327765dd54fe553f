package io.orrery.orchestrator.platform.kubernetes;

import static io.orrery.orchestrator.platform.Background.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.experiment.ExperimentId;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.trial.AttemptRef;
import io.orrery.orchestrator.platform.Keepers;
import io.orrery.orchestrator.platform.Submission;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Makes an attempt's objects in its cluster, so that nothing stays behind when its job goes. */
final class Launches {
  private final String platform;
  private final Keepers keepers;
  private final Map<ExperimentId, Map<String, Keepers.Code>> packed = new ConcurrentHashMap<>();

  Launches(String platform, Keepers keepers) {
    this.platform = platform;
    this.keepers = keepers;
  }

  /** Secret and companions first: a pod that starts at once finds what it needs. */
  void launch(JobAttempt attempt, Submission submission) throws Exception {
    AttemptRef ref = attempt.ref();
    Blueprint blueprint = attempt.blueprint();
    JobKind kind = blueprint.kind();
    Cluster cluster = attempt.site().cluster();
    Manifests manifests = new Manifests(platform, ref, attempt.name());
    List<JobKind.RolePods> pods = new ArrayList<>();
    List<ObjectNode> dependents = new ArrayList<>();
    for (Role role : blueprint.roles()) {
      String directory = role.codeDirectory();
      Keepers.Code code = directory == null ? null : code(ref.trial().experiment(), directory);
      Keepers.Launch launch =
          await(
              keepers.launch(
                  submission,
                  new Keepers.Role(role.name(), reports(blueprint, role), role.command(), code)));
      pods.add(
          new JobKind.RolePods(
              role,
              PodTemplate.of(blueprint, role, launch, ref, attempt.name(), manifests.labels())));
      if (dependents.isEmpty()) {
        dependents.add(manifests.token(launch.token()));
      }
      String registry = role.pullSecret();
      if (registry != null) {
        dependents.add(
            manifests.secret(
                PullSecret.name(attempt.name(), role), PullSecret.of(Path.of(registry))));
      }
    }
    kind.companions(attempt.name()).stream().map(manifests::companion).forEach(dependents::add);
    for (ObjectNode dependent : dependents) {
      cluster.apply(Manifests.type(dependent), dependent);
    }
    // Whoever stood still until now finds here that another server has gone on.
    attempt.mustBeOurs();
    JsonNode job;
    try {
      job = ours(cluster.create(kind.resource(), manifests.job(kind, pods)), manifests, attempt);
    } catch (ProblemException e) {
      // A create without an answer may have come through, and its pod needs what is here.
      // And so does that of another server which looks after the attempt meanwhile.
      if (attempt.isOurs() && !(e.problem() instanceof Problem.Busy)) {
        for (ObjectNode dependent : dependents) {
          cluster.delete(Manifests.type(dependent), dependent.at("/metadata/name").asText());
        }
      }
      throw e;
    }
    for (ObjectNode dependent : dependents) {
      cluster.own(
          Manifests.type(dependent), dependent.at("/metadata/name").asText(), kind.resource(), job);
    }
  }

  /** Asked for once: it stays what it is, whatever becomes of the directory. */
  private Keepers.Code code(ExperimentId experiment, String directory) throws Exception {
    Map<String, Keepers.Code> known =
        packed.computeIfAbsent(experiment, id -> new ConcurrentHashMap<>());
    Keepers.Code code = known.get(directory);
    if (code == null) {
      code = await(keepers.pack(experiment, Path.of(directory)));
      known.put(directory, code);
    }
    return code;
  }

  /** No attempt of this experiment is launched any more. */
  void forget(ExperimentId experiment) {
    packed.remove(experiment);
  }

  private static JsonNode ours(JsonNode metadata, Manifests manifests, JobAttempt attempt) {
    if (!manifests.isOurs(metadata)) {
      throw new Problem.Conflict(
              "the cluster has a "
                  + attempt.blueprint().kind().resource().kind()
                  + " "
                  + attempt.name()
                  + " that is not of this trial: delete it, or name the experiment otherwise")
          .toException();
    }
    return metadata;
  }

  /** The first role's first pod speaks for the attempt. */
  private static Keepers.Reports reports(Blueprint blueprint, Role role) {
    if (!role.equals(blueprint.roles().getFirst())) {
      return Keepers.Reports.NONE;
    }
    boolean alone = role.pods() == 1 && !blueprint.kind().restarts();
    return alone ? Keepers.Reports.ALL : Keepers.Reports.FIRST;
  }
}
