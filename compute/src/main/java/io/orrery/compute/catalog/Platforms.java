package io.orrery.compute.catalog;

import io.orrery.compute.attempt.CarriedSteps;
import io.orrery.compute.service.PlatformEvent;
import io.orrery.compute.service.PlatformListener;
import io.orrery.compute.service.SiblingPlatforms;
import io.orrery.compute.service.TrainingService;
import io.orrery.compute.service.TrainingServiceFactory;
import io.orrery.compute.service.TrainingServiceFactory.Adoption;
import io.orrery.compute.service.TrainingServiceFactory.Steps;
import io.orrery.compute.service.TrainingServiceFactory.Surroundings;
import io.orrery.core.bus.contract.TrainingServices.Item;
import io.orrery.core.bus.contract.TrainingServices.Option;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.experiment.SearchSpec;
import io.orrery.core.experiment.SharedStorageSpec;
import io.orrery.core.image.EnvironmentPlace;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.process.Sandbox;
import io.orrery.core.project.HostMounts;
import io.orrery.core.run.StepCluster;
import io.orrery.core.time.Clock;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The platforms that this server has: found by the service loader and in a folder of the home,
 * opened at once. Thread safe.
 */
public final class Platforms {
  /** The directory of the home with jars of further platforms. */
  public static final String JARS = "platforms";

  private static final String SECTION = "/trainingService";
  private static final Logger LOG = LoggerFactory.getLogger(Platforms.class);

  private final Surroundings surroundings;
  private final Map<String, TrainingServiceFactory> factories = new TreeMap<>();
  private final Map<String, TrainingService> open = new TreeMap<>();
  private final Map<String, String> jars = new TreeMap<>();
  private final Map<String, String> faults = new TreeMap<>();

  /**
   * Opens them all. To be called outside any verticle: Vert.x takes a verticle's timers with it,
   * and those of a platform must outlive the verticle that needs it first.
   */
  public Platforms(Surroundings surroundings) {
    this(surroundings, ServiceLoader.load(TrainingServiceFactory.class));
  }

  /**
   * Opens them all, and those that the configuration makes.
   *
   * @param configured besides those of the service loader, or in place of one of the same name
   */
  public static Platforms with(Surroundings surroundings, List<TrainingServiceFactory> configured) {
    Map<String, TrainingServiceFactory> own = new TreeMap<>();
    ServiceLoader.load(TrainingServiceFactory.class)
        .forEach(factory -> own.put(factory.platform(), factory));
    configured.forEach(factory -> own.put(factory.platform(), factory));
    return new Platforms(surroundings, own.values());
  }

  /** Opens those that the server itself brings, and those of jars. */
  Platforms(Surroundings surroundings, Iterable<TrainingServiceFactory> own) {
    EventRelay relay = new EventRelay(surroundings.listener());
    this.surroundings = surroundings.among(relay, new Beside(relay));
    for (TrainingServiceFactory factory : own) {
      factories.put(factory.platform(), factory);
      open.put(factory.platform(), opened(factory));
    }
    PlatformJars.of(surroundings.home().resolve(JARS)).forEach(this::bring);
  }

  private TrainingService opened(TrainingServiceFactory factory) {
    TrainingService service = factory.open(surroundings);
    return factory.steps() == Steps.CARRIED
        ? new CarriedSteps(service, surroundings.vertx(), surroundings.home())
        : service;
  }

  /** What containers of this server may mount. */
  public HostMounts mountable() {
    return surroundings.sandbox().mountable();
  }

  /** The environments of Python packages on this machine. */
  public EnvironmentPlace environments() {
    return surroundings.environments();
  }

  /** Takes in what a jar has brought; its faults are not the server's. */
  private void bring(PlatformJars.Loaded loaded) {
    TrainingServiceFactory factory = loaded.factory();
    String fault = loaded.fault();
    try {
      if (factory != null) {
        fault = fault(factory.platform());
        if (fault == null) {
          // Asked for here: a failure that came later would reach every caller.
          factory.summary();
          factory.options();
          factory.adoption();
          open.put(factory.platform(), opened(factory));
          factories.put(factory.platform(), factory);
          jars.put(factory.platform(), loaded.jar());
          LOG.info("{} brings the platform {}", loaded.jar(), factory.platform());
        }
      }
    } catch (LinkageError | RuntimeException e) {
      fault = PlatformJars.words(e);
    }
    if (fault != null) {
      faults.put(loaded.jar(), fault);
      LOG.warn("{} {}", loaded.jar(), fault);
    }
  }

  private @Nullable String fault(@Nullable String name) {
    if (name == null || !name.matches("[a-z][a-z0-9-]{0,31}")) {
      return "brings a platform '"
          + name
          + "': a name is 1 to 32 lower-case letters, digits and dashes";
    }
    return factories.containsKey(name)
        ? "brings a platform '" + name + "', and there is one of this name already"
        : null;
  }

  /** The jar that brought a platform; null when it is the server's own. */
  public @Nullable String jar(String platform) {
    return jars.get(platform);
  }

  /** Why jars bring nothing, by their names. */
  public Map<String, String> faults() {
    return Collections.unmodifiableMap(faults);
  }

  /** The keys that a platform declares itself, by its name; none for the server's own. */
  public Map<String, List<Option>> options() {
    Map<String, List<Option>> options = new TreeMap<>();
    jars.keySet()
        .forEach(name -> options.put(name, Objects.requireNonNull(factories.get(name)).options()));
    return options;
  }

  /** The names of all platforms, sorted. */
  public List<String> names() {
    return List.copyOf(factories.keySet());
  }

  /** The names of the platforms that steps of runs can run on, sorted. */
  public List<String> thatRunSteps() {
    return factories.values().stream()
        .filter(factory -> factory.steps() != Steps.NONE)
        .map(TrainingServiceFactory::platform)
        .toList();
  }

  /** The clusters on which steps with an image can run, by name. */
  public List<StepCluster> stepClusters() {
    return factories.values().stream()
        .flatMap(factory -> factory.stepClusters().stream())
        .sorted(Comparator.comparing(StepCluster::name))
        .toList();
  }

  /** One sentence about a platform that is here. */
  public String summary(String platform) {
    TrainingServiceFactory factory = factories.get(platform);
    return factory == null ? "" : factory.summary();
  }

  /** The findings of the platform of an experiment about it. Looks at the disk. */
  public List<Finding> check(JobSpec job, SearchSpec search) {
    List<Finding> findings = new ArrayList<>(checkPlatform(job, search));
    if (job.sharedStorage() != null) {
      findings.addAll(surroundings.keepers().check(job.sharedStorage()));
    }
    if (!surroundings.sandbox().shows(Path.of(job.codeDirectory()))) {
      findings.add(new Finding("/trialCodeDirectory", Sandbox.hiddenWords(job.codeDirectory())));
    }
    return findings;
  }

  private List<Finding> checkPlatform(JobSpec job, SearchSpec search) {
    TrainingServiceFactory factory = factories.get(job.trainingService().platform());
    if (factory == null) {
      return List.of();
    }
    List<Finding> findings = new ArrayList<>(factory.check(job, search));
    if (job.multiPhase() && !factory.givesFurtherSets() && factory.parts(job).isEmpty()) {
      findings.add(new Finding("/multiPhase", oneSet(factory.platform())));
    }
    factory
        .parts(job)
        .forEach((pointer, part) -> findings.addAll(at(pointer, checkPlatform(part, search))));
    factory
        .codeDirectories(job)
        .forEach((pointer, directory) ->
            findings.addAll(surroundings.keepers().check(pointer, directory)));
    return findings;
  }

  /**
   * The findings of the platform of a job on steps with it.
   *
   * @param secrets whether variables of the step are secrets
   */
  public List<Finding> checkSteps(JobSpec job, boolean secrets) {
    String platform = job.trainingService().platform();
    TrainingServiceFactory factory = factories.get(platform);
    if (factory == null || factory.steps() == Steps.NONE) {
      return List.of(
          new Finding(
              SECTION + "/platform",
              "steps run on %s, not on '%s'"
                  .formatted(String.join(", ", thatRunSteps()), platform)));
    }
    List<Finding> findings = new ArrayList<>();
    if (secrets && !factory.hidesVariables()) {
      findings.add(
          new Finding(
              SECTION + "/platform",
              "a variable of the step is a secret, and people who see its job on %s would see it"
                  .formatted(platform)));
    }
    factory.check(job).stream()
        .filter(finding -> finding.pointer().startsWith(SECTION))
        .forEach(findings::add);
    factory
        .parts(job)
        .forEach((pointer, part) -> findings.addAll(at(pointer, checkSteps(part, secrets))));
    return findings;
  }

  /** Notices about the code directories that a job has shipped. Looks at the disk. */
  public List<String> codeNotices(JobSpec job) {
    TrainingServiceFactory factory = factories.get(job.trainingService().platform());
    if (factory == null) {
      return List.of();
    }
    List<String> notices = new ArrayList<>();
    factory.parts(job).values().forEach(part -> notices.addAll(codeNotices(part)));
    factory.codeDirectories(job).values().stream()
        .distinct()
        .forEach(directory -> notices.addAll(surroundings.keepers().notices(directory)));
    return notices;
  }

  /** The state of the storage that attempts of a job share; empty when they share none. */
  public Future<List<Item>> storage(JobSpec job) {
    SharedStorageSpec shared = job.sharedStorage();
    return shared == null
        ? Future.succeededFuture(List.of())
        : surroundings.keepers().look(shared).map(item -> List.of(item));
  }

  private String oneSet(String platform) {
    List<String> able =
        factories.values().stream()
            .filter(TrainingServiceFactory::givesFurtherSets)
            .map(TrainingServiceFactory::platform)
            .toList();
    return "must be false: a trial on the platform %s gets one parameter set; those that give several are %s"
        .formatted(platform, String.join(", ", able));
  }

  /** What is said of a section that stands elsewhere in the whole. */
  private static List<Finding> at(String pointer, List<Finding> findings) {
    return findings.stream()
        .map(finding ->
            finding.pointer().startsWith(SECTION)
                ? new Finding(
                    pointer + finding.pointer().substring(SECTION.length()), finding.message())
                : finding)
        .toList();
  }

  /** The advice of the platform of a job for its author; none when it cannot be asked. */
  public Future<List<String>> notices(JobSpec job) {
    return service(job.trainingService().platform())
        .compose(service -> service.notices(job))
        .otherwise(List.of());
  }

  /** The service of a platform; fails with NotFound when there is none of this name. */
  public Future<TrainingService> service(String platform) {
    TrainingService service = open.get(platform);
    return service == null
        ? Future.failedFuture(
            new Problem.NotFound("no platform '" + platform + "' here; there are " + names())
                .toException())
        : Future.succeededFuture(service);
  }

  /**
   * Returns which servers can take over attempts of a job when their own server is gone; of those
   * that are shared out among several platforms, the servers that can on all of them.
   */
  public Adoption adoption(JobSpec job) {
    TrainingServiceFactory factory = factories.get(job.trainingService().platform());
    return factory == null
        ? Adoption.BY_ITSELF
        : factory.parts(job).values().stream()
            .map(this::adoption)
            .reduce(factory.adoption(), BinaryOperator.minBy(Comparator.naturalOrder()));
  }

  /**
   * Returns the parts of a job that servers cannot share, because no server could take them over
   * from another one.
   */
  public List<Finding> unshareable(JobSpec job) {
    TrainingServiceFactory factory = factories.get(job.trainingService().platform());
    List<Finding> findings = new ArrayList<>();
    if (factory != null) {
      if (factory.adoption() == Adoption.BY_ITSELF) {
        findings.add(new Finding(SECTION + "/platform", staysAlone(factory.platform())));
      }
      factory
          .parts(job)
          .forEach((pointer, part) -> findings.addAll(at(pointer, unshareable(part))));
    }
    return findings;
  }

  private static String staysAlone(String platform) {
    return "servers that share their work cannot take over trials of "
        + platform
        + " from each other; a server that works alone can run them";
  }

  /** Whether experiments of a platform can be rehearsed. */
  public boolean rehearses(String platform) {
    TrainingServiceFactory factory = factories.get(platform);
    return factory != null && factory.rehearses();
  }

  /**
   * Opens another service of a platform that can be rehearsed, on the caller's context; who opens
   * it closes it.
   *
   * @param clock the time that it lives in
   * @param listener who is told what happens there
   */
  public TrainingService rehearsing(String platform, Clock clock, PlatformListener listener) {
    return Objects.requireNonNull(factories.get(platform), platform)
        .open(
            new Surroundings(
                surroundings.vertx(),
                clock,
                surroundings.home(),
                surroundings.sdk(),
                surroundings.access(),
                listener,
                surroundings.keepers()));
  }

  /** The view of one platform on the others. */
  private final class Beside implements SiblingPlatforms {
    private final EventRelay relay;

    private Beside(EventRelay relay) {
      this.relay = relay;
    }

    @Override
    public Future<TrainingService> service(String platform) {
      return Platforms.this.service(platform);
    }

    @Override
    public void overhear(Consumer<PlatformEvent> ear) {
      relay.overhear(ear);
    }
  }

  /** Closes all services; attempts go on running. */
  public Future<Void> close() {
    return Future.join(open.values().stream().map(TrainingService::close).toList()).mapEmpty();
  }
}
