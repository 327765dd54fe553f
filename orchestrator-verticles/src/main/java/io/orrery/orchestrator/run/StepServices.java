package io.orrery.orchestrator.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.compute.catalog.Platforms;
import io.orrery.compute.secret.ProjectSecrets;
import io.orrery.compute.secret.SecretBox;
import io.orrery.core.access.ProjectName;
import io.orrery.core.access.ResourceOwner;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.People.Done;
import io.orrery.core.bus.contract.PipelineRuns;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.experiment.TrainingServiceSpec;
import io.orrery.core.image.EnvironmentChoice;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.project.SecretReference;
import io.orrery.core.run.RunSpec;
import io.orrery.core.run.StepSpec;
import io.orrery.core.time.Clock;
import io.orrery.core.trial.Parameters;
import io.orrery.core.workload.Workspaces;
import io.orrery.orchestrator.project.EnvironmentFreezer;
import io.orrery.orchestrator.project.ProjectDefaults;
import io.orrery.orchestrator.run.RecentChecks.Asked;
import io.orrery.orchestrator.run.RecentChecks.Checked;
import io.orrery.orchestrator.spec.JobReader;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Reads the training services of tasks, by the rules for the section {@code trainingService} of
 * experiments. What is secret in one is a reference to a secret of the project, which is opened for
 * each attempt.
 */
public final class StepServices {
  private static final String SECTION = "/trainingService";
  private static final String LOCAL = "local";

  /** Those on which a program that asks for no GPUs sees what the machine has. */
  private static final Set<String> LEAVES_GPUS = Set.of(LOCAL, "remote");

  private static final Set<String> OF_TRIALS =
      Set.of("trialCommand", "trialCodeDirectory", "trialGpuNumber");

  private static final String OBJECTIVE = "objective";

  /** Those of what trials report where they are simulated. */
  private static final Set<String> OF_RESULTS = Set.of(OBJECTIVE, "noise", "reports");

  private final Vertx vertx;
  private final Platforms platforms;
  private final ProjectSecrets secrets;
  private final SecretBox box;
  private final ProjectDefaults defaults;
  private final EnvironmentFreezer environments;
  private final Path home;
  private final @Nullable Predicate<Path> shown;
  private final Set<String> thatRunSteps;
  private final JobReader reader;
  private final RecentChecks checks;

  /**
   * @param clock by which a check is made again
   * @param box in which secrets of settings are kept while an attempt is there
   * @param defaults of pods, from the project of the run
   * @param environments of Python packages
   * @param home the server's home directory
   * @param shown whether a path of the server may be named; null when all may
   */
  public StepServices(
      Vertx vertx,
      Clock clock,
      Platforms platforms,
      ProjectSecrets secrets,
      SecretBox box,
      ProjectDefaults defaults,
      EnvironmentFreezer environments,
      Path home,
      @Nullable Predicate<Path> shown) {
    this.vertx = vertx;
    this.platforms = platforms;
    this.secrets = secrets;
    this.box = box;
    this.defaults = defaults;
    this.environments = environments;
    this.home = home.toAbsolutePath().normalize();
    this.shown = shown;
    this.thatRunSteps = Set.copyOf(platforms.thatRunSteps());
    this.reader = new JobReader(platforms.names(), platforms.options(), Workspaces.in(this.home));
    this.checks = new RecentChecks(clock, this::check);
  }

  /** The secrets of projects. */
  ProjectSecrets secrets() {
    return secrets;
  }

  /** Answers for training services from now on. */
  Future<?> serve(Bus bus) {
    return bus.serve(
        PipelineRuns.CHECK_SERVICE,
        asked ->
            check(
                    new Asked(
                        asked.service().platform(),
                        asked.service().settings(),
                        asked.gpus(),
                        asked.owner().owner(),
                        asked.secrets()))
                .compose(right -> environments.freeze(right.job(), asked.owner().project()))
                .map(new Done()));
  }

  /**
   * Reads a section; fails with Refused and everything that is wrong, with pointers into the
   * section.
   */
  private Future<Checked> check(Asked asked) {
    return vertx.executeBlocking(() -> checked(asked), false);
  }

  private Checked checked(Asked asked) {
    List<Finding> findings = new ArrayList<>();
    Set<String> references = new LinkedHashSet<>();
    JobReader.Reading reading =
        read(
            asked,
            secret -> {
              if (SecretReference.name(secret).isPresent()) {
                references.add(secret);
              }
              return reference(secret, findings);
            });
    JobSpec job = reading.job();
    reading.findings().stream()
        .filter(finding -> finding.pointer().startsWith(SECTION))
        .forEach(findings::add);
    asked.settings().values().keySet().stream()
        .filter(key -> isOfTrials(asked.platform(), key))
        .map(key -> new Finding(SECTION + "/" + key, "belongs to trials: a task has its own"))
        .forEach(findings::add);
    if (job != null) {
      findings.addAll(platforms.checkSteps(job, asked.withSecrets()));
      findings.addAll(EnvironmentFreezer.misplaced(job));
      findings.addAll(unfrozen(job.trainingService(), asked.settings()));
    }
    if (!findings.isEmpty()) {
      throw Problem.Refused.of(findings.stream().distinct().toList()).toException();
    }
    if (job == null) {
      throw Problem.Refused.of(reading.findings()).toException();
    }
    return new Checked(job, references);
  }

  private boolean isOfTrials(String platform, String key) {
    return OF_TRIALS.contains(key) || (platforms.rehearses(platform) && OF_RESULTS.contains(key));
  }

  /** An environment that is not written where it is frozen when a run is created is a finding. */
  private static List<Finding> unfrozen(TrainingServiceSpec service, Parameters settings) {
    boolean elsewhere =
        service.platform().equals(LOCAL)
            ? EnvironmentChoice.text(service.settings().values()) != null
                && EnvironmentChoice.text(settings.values()) == null
            : hasLocalPartWithEnvironment(service);
    return elsewhere
        ? List.of(
            new Finding(
                SECTION, "the environment of a task is written as its own key: image: env:tool"))
        : List.of();
  }

  private static boolean hasLocalPartWithEnvironment(TrainingServiceSpec service) {
    return service.settings().values().get("services") instanceof List<?> parts
        && parts.stream()
            .anyMatch(part ->
                part instanceof Map<?, ?> one
                    && LOCAL.equals(one.get("platform"))
                    && one.containsKey(EnvironmentChoice.KEY));
  }

  /** The text itself; a secret that all members of the project could read is a finding. */
  private static String reference(String secret, List<Finding> findings) {
    if (SecretReference.name(secret).isEmpty() && !SecretBox.isReference(secret)) {
      findings.add(
          new Finding(
              SECTION,
              "a password or key in a pipeline is a secret of the project: write secret:NAME, and"
                  + " set it with orrery project secret"));
    }
    return secret;
  }

  /**
   * The training service of an attempt, with the present values of secrets and the defaults of the
   * project; fails with Refused when steps cannot run there any more.
   *
   * @param withSecrets whether variables of the step are secrets
   */
  Future<TrainingServiceSpec> of(RunSpec run, StepSpec step, boolean withSecrets) {
    if (isPlain(step)) {
      return Future.succeededFuture(new TrainingServiceSpec(step.platform(), step.settings()));
    }
    Asked asked =
        new Asked(step.platform(), step.settings(), step.gpus(), run.owner(), withSecrets);
    return checks
        .of(asked)
        .compose(right -> withPresentSecrets(asked, right, run.project()))
        .compose(read -> defaults.give(read, new ResourceOwner(run.project(), run.owner())))
        .compose(given -> environments.freeze(given.job(), run.project()))
        .map(JobSpec::trainingService)
        .map(service ->
            new TrainingServiceSpec(
                service.platform(), new Parameters(withoutTrials(service.settings().values()))));
  }

  /** Whether there is nothing to read: programs of this machine, and tasks with an image. */
  private boolean isPlain(StepSpec step) {
    return (step.platform().equals(LOCAL) && step.settings().values().isEmpty())
        || !thatRunSteps.contains(step.platform());
  }

  /** The job with the secrets of the project, sealed, in the place of references. */
  private Future<JobSpec> withPresentSecrets(Asked asked, Checked right, ProjectName project) {
    if (right.references().isEmpty()) {
      return Future.succeededFuture(right.job());
    }
    return opened(project, right.references())
        .compose(values ->
            vertx.executeBlocking(
                () -> job(asked, secret -> values.getOrDefault(secret, secret)), false));
  }

  private Future<Map<String, String>> opened(ProjectName project, Set<String> references) {
    Map<String, String> wanted = new LinkedHashMap<>();
    references.forEach(reference -> wanted.put(reference, reference));
    return secrets
        .fill(project, wanted)
        .compose(opened ->
            vertx.executeBlocking(
                () -> {
                  Map<String, String> sealed = new HashMap<>(opened);
                  sealed.replaceAll((reference, secret) -> box.sealValue(secret));
                  return sealed;
                },
                false));
  }

  private JobSpec job(Asked asked, UnaryOperator<String> seal) {
    JobReader.Reading reading = read(asked, seal);
    JobSpec job = reading.job();
    if (job == null) {
      throw Problem.Refused.of(reading.findings()).toException();
    }
    return job;
  }

  private JobReader.Reading read(Asked asked, UnaryOperator<String> seal) {
    String platform = asked.platform();
    ObjectNode section = Json.MAPPER.valueToTree(asked.settings().values());
    if (platforms.rehearses(platform)) {
      // It is needed for trials; a step has no result.
      section.put(OBJECTIVE, "0");
    }
    Integer gpus = asked.gpus();
    return reader.read(
        section.put("platform", platform),
        home,
        gpus == null && !LEAVES_GPUS.contains(platform) ? Integer.valueOf(0) : gpus,
        new JobReader.Author(asked.user(), shown, seal));
  }

  /** The settings without the command and code that a trial would have. */
  private static Map<String, @Nullable Object> withoutTrials(
      Map<String, ? extends @Nullable Object> settings) {
    Map<String, @Nullable Object> left = new LinkedHashMap<>(settings);
    left.keySet().removeAll(OF_TRIALS);
    if (left.get("services") instanceof List<?> services) {
      List<Object> parts = new ArrayList<>();
      for (Object each : services) {
        Map<String, @Nullable Object> part = new LinkedHashMap<>();
        if (each instanceof Map<?, ?> map) {
          map.forEach((key, value) -> part.put(String.valueOf(key), value));
          part.keySet().removeAll(OF_TRIALS);
          parts.add(part);
        }
      }
      left.put("services", parts);
    }
    return left;
  }
}
