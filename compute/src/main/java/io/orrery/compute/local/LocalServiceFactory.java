package io.orrery.compute.local;

import io.orrery.compute.gpu.GpuCensus;
import io.orrery.compute.gpu.GpuInventory;
import io.orrery.compute.gpu.GpuProbe;
import io.orrery.compute.gpu.GpuRequest;
import io.orrery.compute.process.ProcessTable;
import io.orrery.compute.process.Processes;
import io.orrery.compute.process.Spawn;
import io.orrery.compute.section.ServiceSection;
import io.orrery.compute.service.TrainingService;
import io.orrery.compute.service.TrainingServiceFactory;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.problem.Finding;
import io.orrery.core.process.SearchPath;
import io.orrery.core.process.UserEnvironment;
import io.orrery.core.workload.Workspaces;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Opens the platform {@code local}. */
public final class LocalServiceFactory implements TrainingServiceFactory {
  private final Map<String, String> environment;
  private final GpuProbe probe;
  private final @Nullable GpuInventory shared;

  /** With the environment in which the user has started the server, and GPUs of its own. */
  public LocalServiceFactory() {
    this(UserEnvironment.get());
  }

  LocalServiceFactory(Map<String, String> environment) {
    this(environment, new GpuProbe(SearchPath.of(environment), GpuProbe.LIMIT), null);
  }

  /**
   * With GPUs that other programs of the server are given, too.
   *
   * @param shared that {@link #gpus} is a source of
   */
  public LocalServiceFactory(GpuInventory shared) {
    this(UserEnvironment.get(), shared.probe(), shared);
  }

  private LocalServiceFactory(
      Map<String, String> environment, GpuProbe probe, @Nullable GpuInventory shared) {
    this.environment = Map.copyOf(environment);
    this.probe = probe;
    this.shared = shared;
  }

  /**
   * Knows the attempts of trials on this machine that hold GPUs.
   *
   * @param home the directory of experiments
   */
  public static GpuCensus.Source gpus(Path home) {
    Path absolute = home.toAbsolutePath().normalize();
    return new TrialCensus(
        absolute,
        new ProcessMarks(absolute),
        new ProcessTable(() -> Processes.all(ProcessMarks.VARIABLE)));
  }

  /** GPUs that only trials are given. */
  static GpuInventory alone(Surroundings surroundings, GpuProbe probe) {
    return GpuInventory.of(probe, surroundings.clock(), List.of(gpus(surroundings.home())));
  }

  @Override
  public String platform() {
    return "local";
  }

  @Override
  public ServiceSection section() {
    return new LocalSection();
  }

  @Override
  public String summary() {
    return "Processes of the server's own machine, in the code directory itself.";
  }

  @Override
  public List<Finding> check(JobSpec job) {
    List<Finding> findings = new ArrayList<>();
    if (!Files.isDirectory(Path.of("/proc/self"))
        || (!Spawn.isNative() && !isInstalled("setsid"))) {
      findings.add(
          new Finding(
              "/trainingService/platform",
              "the local platform needs Linux with /proc and the program setsid (util-linux)"));
    }
    Path code = Path.of(job.codeDirectory());
    // Whose workspace it is is known where the file is read.
    if (!Workspaces.shows(code) && !Files.isDirectory(code)) {
      findings.add(new Finding("/trialCodeDirectory", "there is no directory " + code));
    }
    GpuRequest.of(job).ifPresent(request -> findings.addAll(request.check(probe.look())));
    return List.copyOf(findings);
  }

  private boolean isInstalled(String program) {
    return SearchPath.of(environment).find(program).isPresent();
  }

  @Override
  public Adoption adoption() {
    return Adoption.ON_THE_SAME_HOST;
  }

  @Override
  public boolean givesFurtherSets() {
    return true;
  }

  @Override
  public Steps steps() {
    return Steps.AS_THEY_ARE;
  }

  @Override
  public TrainingService open(Surroundings surroundings) {
    return new LocalService(
        surroundings,
        LocalSettings.DEFAULT,
        environment,
        shared == null ? alone(surroundings, probe) : shared);
  }
}
