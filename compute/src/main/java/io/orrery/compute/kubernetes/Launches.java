package io.orrery.compute.kubernetes;

import static io.orrery.compute.attempt.Background.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.compute.attempt.Background;
import io.orrery.compute.service.ImageLogin;
import io.orrery.compute.service.ImageLogins;
import io.orrery.compute.service.Keepers;
import io.orrery.compute.service.StepSetup;
import io.orrery.compute.service.Submission;
import io.orrery.core.access.ProjectName;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.kubernetes.ApiFailure;
import io.orrery.kubernetes.Cluster;
import io.orrery.kubernetes.ResourceType;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes an attempt's objects in its cluster, so that nothing stays behind when its job goes. */
final class Launches {
  private static final Logger LOG = LoggerFactory.getLogger(Launches.class);

  private final String platform;
  private final Keepers keepers;
  private final ImageLogins logins;
  private final TokenSecrets tokens;
  private final Map<ExperimentId, Map<String, Keepers.Code>> packed = new ConcurrentHashMap<>();

  /**
   * A role of an attempt, and what its keeper is started with.
   *
   * @param step whether the variables lie in a Secret, as those of steps do
   * @param login whether the image is pulled with a login of the project
   */
  private record Launched(
      Role role,
      Keepers.Launch launch,
      Map<String, String> variables,
      boolean step,
      boolean login) {}

  /**
   * @param logins with which images are pulled
   */
  Launches(String platform, Keepers keepers, ImageLogins logins) {
    this.platform = platform;
    this.keepers = keepers;
    this.logins = logins;
    this.tokens = new TokenSecrets(platform);
  }

  TokenSecrets tokens() {
    return tokens;
  }

  /** Creates what the pods need besides their token first: a pod that starts at once finds it. */
  void launch(JobAttempt attempt, Submission submission) throws Exception {
    AttemptRef ref = attempt.ref();
    Blueprint blueprint = attempt.blueprint();
    Manifests manifests = new Manifests(platform, ref, attempt.name());
    List<Launched> roles = new ArrayList<>();
    List<ObjectNode> dependents = new ArrayList<>();
    for (Role role : blueprint.roles()) {
      String directory = role.codeDirectory();
      Keepers.Code code = directory == null ? null : code(ref.trial().experiment(), directory);
      boolean step = submission.step() != null;
      Keepers.Role asked =
          new Keepers.Role(role.name(), reports(blueprint, role), role.command(), code);
      Keepers.Launch launch = await(keepers.launch(submission, asked));
      Map<String, String> variables = PodTemplate.variables(blueprint, role, launch, ref);
      Optional<ImageLogin> login = login(blueprint, submission, role);
      roles.add(new Launched(role, launch, variables, step, login.isPresent()));
      login.ifPresent(found ->
          dependents.add(
              manifests.secret(PullSecret.name(attempt.name(), role), PullSecret.of(found))));
      if (step) {
        dependents.add(
            manifests.secret(
                StepVariables.name(attempt.name(), role), StepVariables.secret(variables)));
      }
      String registry = role.pullSecret();
      if (registry != null) {
        dependents.add(
            manifests.secret(
                PullSecret.name(attempt.name(), role), PullSecret.of(Path.of(registry))));
      }
    }
    blueprint.kind().companions(attempt.name()).stream()
        .map(manifests::companion)
        .forEach(dependents::add);
    Cluster cluster = attempt.site().cluster();
    for (ObjectNode dependent : dependents) {
      cluster.apply(Manifests.type(dependent), dependent);
    }
    // A server that stood still until now finds here that another one has gone on.
    attempt.mustBeOurs();
    TokenHolder job;
    try {
      job = launch(attempt, manifests, roles, tokens.join(attempt));
    } catch (ProblemException e) {
      // A create without an answer may have come through, and its pod needs what is here.
      // And so does that of another server which owns the attempt meanwhile.
      if (attempt.isOurs() && isRefused(e)) {
        for (ObjectNode dependent : dependents) {
          remove(cluster, Manifests.type(dependent), dependent.at("/metadata/name").asText());
        }
      }
      throw e;
    }
    for (ObjectNode dependent : dependents) {
      String called = dependent.at("/metadata/name").asText();
      cluster.own(Manifests.type(dependent), called, job.type(), job.metadata());
    }
  }

  /** The login for the image of a role, as the project has it now. */
  private Optional<ImageLogin> login(Blueprint blueprint, Submission submission, Role role)
      throws Exception {
    StepSetup step = submission.step();
    ProjectName project = step == null ? blueprint.project().name() : step.project();
    return project == null || role.pullSecret() != null
        ? Optional.empty()
        : await(logins.find(project, role.image()));
  }

  private TokenHolder launch(
      JobAttempt attempt, Manifests manifests, List<Launched> roles, TokenSecret secret)
      throws Exception {
    TokenHolder job;
    try {
      job = create(attempt, manifests, roles, secret.name());
    } catch (RuntimeException | Error e) { // others wait for its answer
      secret.leave();
      throw e;
    }
    if (secret.name().equals(job.secret())) {
      give(attempt, job, () -> secret.put(job));
    } else {
      secret.leave();
      complete(attempt, job);
    }
    return job;
  }

  private static TokenHolder create(
      JobAttempt attempt, Manifests manifests, List<Launched> roles, String secret) {
    Blueprint blueprint = attempt.blueprint();
    ResourceType type = blueprint.kind().resource();
    List<JobKind.RolePods> pods = new ArrayList<>();
    for (Launched each : roles) {
      ObjectNode template =
          PodTemplate.of(
              blueprint,
              each.role(),
              each.launch(),
              each.variables(),
              each.step(),
              attempt.ref(),
              attempt.name(),
              manifests.labels(),
              secret);
      if (each.login()) {
        PullSecret.use(template, attempt.name(), each.role());
      }
      pods.add(new JobKind.RolePods(each.role(), template));
    }
    JsonNode metadata =
        attempt.site().cluster().create(type, manifests.job(blueprint.kind(), pods, secret));
    String token = roles.getFirst().launch().token();
    return new TokenHolder(token, type, ours(metadata, manifests, attempt));
  }

  /**
   * Gives a job that was found in the cluster what a launch that was cut off may not have given.
   */
  void complete(JobAttempt attempt) throws Exception {
    ResourceType type = attempt.blueprint().kind().resource();
    JsonNode job = attempt.site().cluster().find(type, attempt.name());
    if (job != null) {
      complete(attempt, new TokenHolder(keepers.token(attempt.ref()), type, job.path("metadata")));
    }
  }

  private void complete(JobAttempt attempt, TokenHolder job) throws Exception {
    String secret = job.secret();
    if (secret != null) {
      give(
          attempt,
          job,
          () ->
              tokens.add(
                  attempt.site().cluster(), attempt.ref().trial().experiment(), secret, job));
    }
  }

  /** Deletes a job that will not be given its token, because its pods would wait for ever. */
  private static void give(JobAttempt attempt, TokenHolder job, Background.Step step)
      throws Exception {
    try {
      step.run();
    } catch (ProblemException e) {
      if (attempt.isOurs() && isRefused(e)) {
        remove(attempt.site().cluster(), job.type(), attempt.name());
      }
      throw e;
    }
  }

  /** Whether what was asked for is not there for certain, nor will be. */
  private static boolean isRefused(ProblemException e) {
    ApiFailure failure = ApiFailure.behind(e);
    return failure == null ? !(e.problem() instanceof Problem.Busy) : failure.isRefusal();
  }

  /** Removes what a launch has made and does not need. Who may not create may not delete either. */
  private static void remove(Cluster cluster, ResourceType type, String name) {
    try {
      cluster.delete(type, name);
    } catch (ProblemException e) {
      LOG.warn("could not delete the {} {}: {}", type.kind(), name, e.problem().detail());
    }
  }

  /** Asked for once: it stays what it is, whatever becomes of the directory. */
  private Keepers.Code code(ExperimentId experiment, String directory) throws Exception {
    Map<String, Keepers.Code> known =
        packed.computeIfAbsent(experiment, id -> new ConcurrentHashMap<>());
    Keepers.Code code = known.get(directory);
    if (code == null) {
      Path path = Path.of(directory);
      code = await(keepers.pack(experiment, path));
      known.put(directory, code);
    }
    return code;
  }

  /** No attempt of this experiment is launched any more. */
  void forget(ExperimentId experiment) {
    packed.remove(experiment);
    tokens.forget(experiment);
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
