package io.orrery.core.workload;

import io.orrery.core.access.ProjectName;
import io.orrery.core.project.Mounts;
import io.orrery.core.project.NodePlacement;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A complete description of a program that is kept running: nothing in it depends on anything that
 * may change later.
 *
 * @param command the program and its arguments; empty for the command of the image
 * @param image null for programs of the machine itself; {@code env:<name>@sha256:<digest>} for such
 *     in an environment of Python packages
 * @param directory the absolute path in which each replica starts; null for one of its own
 * @param environment variables besides those that a runtime adds
 * @param ports the first is the one that requests go to; may be empty
 * @param readiness null when a replica is ready as soon as it runs
 * @param startupDeadline the time that a replica has to become ready
 * @param grace the time between SIGTERM and SIGKILL
 * @param exposure its ports that are reached by an address and a number
 * @param model the files of a model that the program reads; null for none
 * @param pulledFor the project with whose accounts of registries the image is pulled; null for none
 * @param files texts of small files that the program reads, by their paths below {@link #FILES}
 * @param scaling how a cluster that scales by itself is to do so; null when it is not to
 * @param nodes the labels of the machines of a cluster that may run it; null for any machine
 * @param code SHA-256 of the uploaded code that is in its directory; null where there is none
 */
public record WorkloadSpec(
    List<String> command,
    @Nullable String image,
    @Nullable String directory,
    Map<String, String> environment,
    List<WorkloadPort> ports,
    @Nullable Probe readiness,
    Duration startupDeadline,
    Duration grace,
    Resources resources,
    Mounts mounts,
    Exposure exposure,
    @Nullable ModelFiles model,
    @Nullable ProjectName pulledFor,
    Map<String, String> files,
    @Nullable UseScaling scaling,
    @Nullable NodePlacement nodes,
    @Nullable String code) {
  /** The directory of the files in containers and pods. */
  public static final String FILES = "/config";

  /** The variable that names the owner of a workload, whatever its document says. */
  public static final String OWNER = "USERNAME";

  /** The variable that names the directory of the files, wherever it is. */
  public static final String FILES_VARIABLE = "ORRERY_CONFIG";

  /**
   * The value of an environment variable that the owner of workloads replaces by the token that its
   * route injects. So the token is in no table.
   */
  public static final String DERIVED_TOKEN = "{derived token}";

  public WorkloadSpec {
    command = List.copyOf(command);
    environment = Map.copyOf(environment);
    ports = List.copyOf(ports);
    exposure = Objects.requireNonNullElse(exposure, Exposure.NONE);
    files = Map.copyOf(Objects.requireNonNullElse(files, Map.of()));
  }

  /** One whose image is pulled without an account, and that has no files. */
  public WorkloadSpec(
      List<String> command,
      @Nullable String image,
      @Nullable String directory,
      Map<String, String> environment,
      List<WorkloadPort> ports,
      @Nullable Probe readiness,
      Duration startupDeadline,
      Duration grace,
      Resources resources,
      Mounts mounts,
      Exposure exposure,
      @Nullable ModelFiles model) {
    this(
        command,
        image,
        directory,
        environment,
        ports,
        readiness,
        startupDeadline,
        grace,
        resources,
        mounts,
        exposure,
        model,
        null,
        Map.of(),
        null,
        null,
        null);
  }

  /** One that is reached by its host alone, and has no model. */
  public WorkloadSpec(
      List<String> command,
      @Nullable String image,
      @Nullable String directory,
      Map<String, String> environment,
      List<WorkloadPort> ports,
      @Nullable Probe readiness,
      Duration startupDeadline,
      Duration grace,
      Resources resources,
      Mounts mounts) {
    this(
        command,
        image,
        directory,
        environment,
        ports,
        readiness,
        startupDeadline,
        grace,
        resources,
        mounts,
        Exposure.NONE,
        null);
  }

  /** The same in another directory. */
  public WorkloadSpec in(String otherDirectory) {
    return with(
        command, image, otherDirectory, environment, model, pulledFor, files, scaling, nodes);
  }

  /** The owner of the workload, whose directories it sees; empty when it has none. */
  public String owner() {
    return environment.getOrDefault(OWNER, "");
  }

  /** The same with other variables. */
  public WorkloadSpec with(Map<String, String> otherEnvironment) {
    return with(
        command, image, directory, otherEnvironment, model, pulledFor, files, scaling, nodes);
  }

  /** The same with uploaded code in its directory. */
  public WorkloadSpec withCode(@Nullable String digest) {
    return new WorkloadSpec(
        command,
        image,
        directory,
        environment,
        ports,
        readiness,
        startupDeadline,
        grace,
        resources,
        mounts,
        exposure,
        model,
        pulledFor,
        files,
        scaling,
        nodes,
        digest);
  }

  /** The same with an image that is pulled with the accounts of a project. */
  public WorkloadSpec pulledFor(ProjectName project) {
    return with(command, image, directory, environment, model, project, files, scaling, nodes);
  }

  /** The same with another image. */
  public WorkloadSpec withImage(String otherImage) {
    return with(
        command, otherImage, directory, environment, model, pulledFor, files, scaling, nodes);
  }

  /** The same with files. */
  public WorkloadSpec withFiles(Map<String, String> texts) {
    return with(command, image, directory, environment, model, pulledFor, texts, scaling, nodes);
  }

  /**
   * The same with another place of its model in command, variables and files: for the first one, or
   * for the one before. It has a model.
   */
  public WorkloadSpec withModelIn(String place) {
    ModelFiles present = Objects.requireNonNull(model);
    String before = Objects.requireNonNullElse(present.directory(), ModelFiles.PLACE);
    Map<String, String> variables = new HashMap<>(environment);
    variables.replaceAll((name, value) -> value.replace(before, place));
    Map<String, String> texts = new HashMap<>(files);
    texts.replaceAll((name, text) -> text.replace(before, place));
    return with(
        command.stream().map(word -> word.replace(before, place)).toList(),
        image,
        directory,
        variables,
        present.in(place),
        pulledFor,
        texts,
        scaling,
        nodes);
  }

  private WorkloadSpec with(
      List<String> otherCommand,
      @Nullable String otherImage,
      @Nullable String otherDirectory,
      Map<String, String> otherEnvironment,
      @Nullable ModelFiles otherModel,
      @Nullable ProjectName otherProject,
      Map<String, String> otherFiles,
      @Nullable UseScaling otherScaling,
      @Nullable NodePlacement otherNodes) {
    return new WorkloadSpec(
        otherCommand,
        otherImage,
        otherDirectory,
        otherEnvironment,
        ports,
        readiness,
        startupDeadline,
        grace,
        resources,
        mounts,
        exposure,
        otherModel,
        otherProject,
        otherFiles,
        otherScaling,
        otherNodes,
        code);
  }

  /** The same with a number of replicas that a cluster changes by itself. */
  public WorkloadSpec scalingBy(@Nullable UseScaling by) {
    return with(command, image, directory, environment, model, pulledFor, files, by, nodes);
  }

  /** The same on some machines of its cluster; null for any. */
  public WorkloadSpec on(@Nullable NodePlacement machines) {
    return with(command, image, directory, environment, model, pulledFor, files, scaling, machines);
  }

  /** The names of the variables and not their values, which may be secrets. */
  @Override
  public String toString() {
    return "WorkloadSpec[command=%s, image=%s, directory=%s, environment=%s, ports=%s]"
        .formatted(command, image, directory, environment.keySet(), ports);
  }
}
