package io.orrery.compute.service;

import io.orrery.compute.section.ServiceSection;
import io.orrery.core.bus.contract.TrainingServices.Option;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.experiment.SearchSpec;
import io.orrery.core.image.EnvironmentPlace;
import io.orrery.core.problem.Finding;
import io.orrery.core.process.Sandbox;
import io.orrery.core.run.StepCluster;
import io.orrery.core.time.Clock;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes one platform; found by the service loader. */
public interface TrainingServiceFactory {
  /** The platform's name as in {@code platform:}, lower case. */
  String platform();

  /** One sentence for lists of platforms. */
  String summary();

  /**
   * Its section in a configuration, with checks of several keys together and its keys of NNI's
   * first version. Null for one whose {@link #options} say all.
   */
  default @Nullable ServiceSection section() {
    return null;
  }

  /**
   * The keys of its section besides those that every platform has, where it has no {@link
   * #section}.
   */
  default List<Option> options() {
    return List.of();
  }

  /**
   * The findings of this platform about a job, beyond what its schema says; pointers into the v3
   * form of an experiment. Looks, never changes anything.
   */
  List<Finding> check(JobSpec job);

  /** The same for an experiment, for a platform that makes up what its trials report. */
  default List<Finding> check(JobSpec job, SearchSpec search) {
    return check(job);
  }

  /**
   * The directories that this platform packs with {@link Keepers#pack}, by where the configuration
   * names them: their limits are checked before an experiment is created.
   */
  default Map<String, Path> codeDirectories(JobSpec job) {
    return Map.of();
  }

  /**
   * The jobs that a job becomes on other platforms, by where each stands in the configuration: for
   * a platform that shares its attempts out among others. They are checked there.
   */
  default Map<String, JobSpec> parts(JobSpec job) {
    return Map.of();
  }

  /**
   * Whether a running attempt can ask for one parameter set after another here: the platform brings
   * what it asks to {@link PlatformListener#next}, or the one keeper of the attempt asks itself.
   */
  default boolean givesFurtherSets() {
    return false;
  }

  /** How steps of runs get their inputs here. */
  default Steps steps() {
    return Steps.NONE;
  }

  /** Whether the variables of a step are hidden from people who may look at its job here. */
  default boolean hidesVariables() {
    return true;
  }

  /** The clusters on which it runs steps with an image; empty for none. */
  default List<StepCluster> stepClusters() {
    return List.of();
  }

  TrainingService open(Surroundings surroundings);

  /**
   * Returns which servers can take over its attempts when their own server is gone. A service that
   * returns more than {@link Adoption#BY_ITSELF} releases an experiment by {@link
   * TrainingService#leave}, asks {@link Keepers#mustAct} before anything that others feel, and
   * keeps what it must know in the home, which all servers see.
   */
  default Adoption adoption() {
    return Adoption.BY_ITSELF;
  }

  /**
   * Whether its attempts live on the clock that it is given and on nothing else, and whether who
   * calls it from its own context is served at once: such a one can be rehearsed on virtual time.
   */
  default boolean rehearses() {
    return false;
  }

  /**
   * A way in which a platform runs steps of runs, with the variables of {@link Submission#step}.
   */
  enum Steps {
    /** It runs trials only. */
    NONE,

    /** Its attempts see the disk of the server, or it hands them to platforms that run steps. */
    AS_THEY_ARE,

    /** Its attempts have keepers, which take the inputs along and bring the outputs. */
    CARRIED
  }

  /** The servers that can adopt attempts which another one has submitted. */
  enum Adoption {
    /** None but that one, started again: the platform does not work where servers share work. */
    BY_ITSELF,

    /**
     * One on the same machine: they are its processes, and what is known of them is in the home.
     */
    ON_THE_SAME_HOST,

    ANYWHERE
  }

  /**
   * The environment of a platform.
   *
   * @param home the directory that all servers see which may own the same attempts; experiments lie
   *     under {@code experiments/<id>}
   * @param own what is this server's alone; the same as home where it works alone
   * @param sdk the unpacked trial SDK: the directory that holds {@code compat}
   * @param keepers for platforms that share no disk with the server
   * @param neighbours the other platforms
   * @param logins with which images of projects are pulled
   * @param environments of Python packages, in which programs of this machine may run
   */
  record Surroundings(
      Vertx vertx,
      Clock clock,
      Path home,
      Path own,
      Path sdk,
      TrialAccess access,
      PlatformListener listener,
      Keepers keepers,
      SiblingPlatforms neighbours,
      Sandbox sandbox,
      ImageLogins logins,
      EnvironmentPlace environments) {
    /** Those of a server that works alone, and of a platform that needs no other. */
    public Surroundings(
        Vertx vertx,
        Clock clock,
        Path home,
        Path sdk,
        TrialAccess access,
        PlatformListener listener,
        Keepers keepers) {
      this(
          vertx,
          clock,
          home,
          home,
          sdk,
          access,
          listener,
          keepers,
          SiblingPlatforms.NONE,
          Sandbox.NONE,
          ImageLogins.NONE,
          new EnvironmentPlace(home.resolve("builds")));
    }

    /** The same with other ones to listen, and beside others. */
    public Surroundings among(PlatformListener ears, SiblingPlatforms others) {
      return new Surroundings(
          vertx,
          clock,
          home,
          own,
          sdk,
          access,
          ears,
          keepers,
          others,
          sandbox,
          logins,
          environments);
    }

    /** The same for a platform that another one runs attempts on, and listens to. */
    public Surroundings heardBy(PlatformListener ears) {
      return among(ears, SiblingPlatforms.NONE);
    }
  }
}
