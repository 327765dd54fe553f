package io.orrery.compute.reuse;

import static io.orrery.compute.attempt.Background.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.compute.service.Keepers;
import io.orrery.compute.service.Submission;
import io.orrery.compute.service.TrainingService;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.id.TrialRef;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.time.Clock;
import io.orrery.core.trial.ParameterSet;
import io.orrery.core.trial.ParameterSource;
import io.orrery.core.trial.Parameters;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The environments of a platform: each is one attempt of the platform below, made for a trial that
 * found no free place, written down before it is asked for, and ended when it has been empty for
 * long. Methods may block.
 */
final class Environments {
  private static final Logger LOG = LoggerFactory.getLogger(Environments.class);
  private static final String PREFIX = "env-";

  private final TrainingService below;
  private final String platform;
  private final Terms terms;
  private final Keepers keepers;
  private final EnvironmentRegistry register;
  private final Clock clock;
  private final Map<AttemptRef, Environment> environments = new ConcurrentHashMap<>();
  private long lastName;

  Environments(
      TrainingService below,
      String platform,
      Terms terms,
      Keepers keepers,
      EnvironmentRegistry register,
      Clock clock) {
    this.below = below;
    this.platform = platform;
    this.terms = terms;
    this.keepers = keepers;
    this.register = register;
    this.clock = clock;
  }

  /** Whether an attempt of the platform below is one of them. */
  static boolean isOne(AttemptRef attempt) {
    return attempt.trial().trial().value().startsWith(PREFIX);
  }

  boolean isEmpty() {
    return environments.isEmpty();
  }

  /** An environment by its name below; null when there is none. */
  @Nullable Environment get(AttemptRef ref) {
    return environments.get(ref);
  }

  /** Whether an experiment has, or had, some. */
  boolean knows(ExperimentId experiment) {
    return register.knows(experiment);
  }

  /** Gives a tenant a place; the environment that has to be opened for it, or null. */
  synchronized @Nullable Environment place(Tenant tenant, JobSpec job, EnvironmentTenancy tenancy) {
    ExperimentId experiment = tenant.ref().trial().experiment();
    JsonNode site = ReuseSettings.site(job);
    List<Environment> present = of(experiment).stream().filter(each -> each.isAt(site)).toList();
    for (boolean running : List.of(true, false)) {
      for (Environment each : present) {
        if (each.isRunning() == running && each.admit(tenant)) {
          return null;
        }
      }
    }
    // A name that was used before would find the job that had it. Of an experiment on several
    // platforms each counts by itself, and all write into one register.
    lastName = Math.max(lastName + 1, clock.millis());
    TrialId name =
        new TrialId(PREFIX + platform + "-" + Long.toString(lastName, Character.MAX_RADIX));
    AttemptRef ref = new AttemptRef(new TrialRef(experiment, name), 1);
    Environment fresh = new Environment(ref, job, tenancy, clock.now());
    fresh.take(tenant);
    environments.put(ref, fresh);
    return fresh;
  }

  /**
   * Asks the platform below for one.
   *
   * @param offers what it is told to run
   */
  void open(Environment environment, Keepers.Offers offers) throws Exception {
    try {
      keepers.offer(environment.ref(), offers);
      writeDown(environment);
      await(below.submit(submission(environment)));
      environment.open().complete(null);
    } catch (Exception e) {
      environment.close();
      environments.remove(environment.ref());
      if (isOurs(environment)) {
        register.remove(environment.ref());
      }
      keepers.forget(environment.ref());
      environment.open().completeExceptionally(e);
      throw e;
    }
  }

  /** The environments of an experiment, the oldest first. */
  private List<Environment> of(ExperimentId experiment) {
    return environments.values().stream()
        .filter(each -> isOf(each.ref(), experiment))
        .sorted(Comparator.comparing(each -> each.ref().trial().trial().value()))
        .toList();
  }

  /**
   * Gives the free places of environments that run to those who wait in one that does not, for
   * instance because the GPU that it needs is held by the very one that has become free.
   */
  void bringForward(ExperimentId experiment) {
    List<Environment> into = new ArrayList<>();
    for (Move move = move(experiment); move != null; move = move(experiment)) {
      try {
        // In this order: one that is not written down has never been started.
        writeDown(move.from());
        writeDown(move.into());
      } catch (IOException | ProblemException e) {
        LOG.warn("could not persist a move to environment {}", move.into().ref(), e);
      }
      into.add(move.into());
    }
    into.forEach(each -> keepers.offered(each.ref()));
  }

  private record Move(Environment from, Environment into) {}

  private synchronized @Nullable Move move(ExperimentId experiment) {
    List<Environment> present = of(experiment);
    List<Environment> free =
        present.stream().filter(each -> each.isRunning() && each.free() > 0).toList();
    if (free.isEmpty()) {
      return null;
    }
    for (Environment from : present) {
      for (Environment into : free) {
        if (into.isBeside(from) && moved(from, into)) {
          return new Move(from, into);
        }
      }
    }
    return null;
  }

  /** Whether a tenant was waiting in the one, and is now in the other. */
  private boolean moved(Environment from, Environment into) {
    for (Tenant tenant : from.tenants()) {
      if (tenant.launch() != null && from.letGo(tenant, clock.now())) {
        if (into.admit(tenant)) {
          return true;
        }
        from.take(tenant);
      }
    }
    return false;
  }

  /** Takes a tenant out of an environment that has not come to run; whether that was so. */
  boolean letGo(Tenant tenant) {
    Environment environment = tenant.environment();
    if (environment == null || !environment.letGo(tenant, clock.now())) {
      return false;
    }
    leave(tenant);
    return true;
  }

  /** Takes back an environment without tenants, if the platform below has not begun with it. */
  void withdraw(Environment environment) throws Exception {
    if (!environment.closeIfEmptySince(clock.now())) {
      return;
    }
    if (await(below.withdraw(environment.ref()))) {
      close(environment);
      forget(environment);
    } else {
      environment.reopen(clock.now());
    }
  }

  private Submission submission(Environment environment) {
    return new Submission(
        environment.ref(),
        0,
        new ParameterSet(0, null, ParameterSource.CUSTOMIZED, Parameters.EMPTY),
        ReuseSettings.environment(environment.job()));
  }

  // ---- after a restart -----------------------------------------------------------------------

  /** An environment that an earlier server has made, with its tenants then. */
  record Earlier(Environment environment, List<EnvironmentRegistry.Tenant> tenants) {}

  /** Those of an experiment that are written down. */
  List<Earlier> earlier(ExperimentId experiment) throws IOException {
    List<Earlier> earlier = new ArrayList<>();
    for (AttemptRef ref : register.of(experiment)) {
      EnvironmentRegistry.Entry entry = register.read(ref);
      if (entry == null || !isHere(entry)) {
        continue;
      }
      Environment environment =
          new Environment(ref, entry.job(), terms.tenancy(entry.job()), clock.now());
      environment.open().complete(null);
      earlier.add(new Earlier(environment, entry.tenants()));
    }
    return earlier;
  }

  /** Whether it is of this platform: an experiment may have several. */
  private boolean isHere(EnvironmentRegistry.Entry entry) {
    return entry.job().trainingService().platform().equals(platform);
  }

  /**
   * Takes them up.
   *
   * @param offers what each is told to run
   * @return those that the platform below does not have any more
   */
  List<Environment> adopt(List<Earlier> earlier, Function<Environment, Keepers.Offers> offers)
      throws Exception {
    List<Submission> found = new ArrayList<>();
    for (Earlier each : earlier) {
      Environment environment = each.environment();
      environments.put(environment.ref(), environment);
      if (!await(keepers.states(environment.ref())).isEmpty()) {
        environment.hear();
      }
      keepers.offer(environment.ref(), offers.apply(environment));
      found.add(submission(environment));
    }
    List<Environment> gone = new ArrayList<>();
    for (AttemptRef unknown : await(below.adopt(found))) {
      Environment environment = environments.get(unknown);
      if (environment != null) {
        gone.add(environment);
      }
    }
    return gone;
  }

  // ---- who lives there -----------------------------------------------------------------------

  /** How many places are free in environments of a job. */
  int free(JobSpec job) {
    JsonNode site = ReuseSettings.site(job);
    return environments.values().stream()
        .filter(each -> each.isRunning() && each.isAt(site))
        .mapToInt(Environment::free)
        .sum();
  }

  /** Those attempts, with the tenants of an environment in its place. */
  List<AttemptRef> inhabitants(List<AttemptRef> attempts) {
    return attempts.stream()
        .flatMap(attempt -> {
          Environment environment = environments.get(attempt);
          return environment != null
              ? environment.tenants().stream().map(Tenant::ref)
              : isOne(attempt) ? Stream.empty() : Stream.of(attempt);
        })
        .toList();
  }

  /** A tenant leaves the environment that it lived in, if that is still there. */
  void leave(Tenant tenant) {
    Environment environment = tenant.environment();
    if (environment != null && environments.containsKey(environment.ref())) {
      environment.leave(tenant, clock.now());
      try {
        writeDown(environment);
      } catch (IOException | ProblemException e) {
        LOG.warn("could not persist that {} has left its environment", tenant.ref(), e);
      }
    }
  }

  /** Notes the tenants of an environment, for the next server. */
  void writeDown(Environment environment) throws IOException {
    keepers.mustAct(environment.ref().trial().experiment());
    // What is written last must be what is so.
    synchronized (environment.open()) {
      register.write(environment.ref(), environment.entry());
    }
  }

  private boolean isOurs(Environment environment) {
    return keepers.mayAct(environment.ref().trial().experiment());
  }

  // ---- going ---------------------------------------------------------------------------------

  /** Lets no tenant into one that has ended. */
  void close(Environment environment) {
    environment.close();
    environments.remove(environment.ref(), environment);
  }

  /** Forgets one that has ended, once all who lived there know. */
  void forget(Environment environment) throws IOException {
    register.remove(environment.ref());
    keepers.forget(environment.ref());
  }

  /** Ends those that have been empty for long. */
  void endIdle(Instant now) {
    for (Environment environment : environments.values()) {
      if (isOurs(environment)
          && environment.closeIfEmptySince(now.minus(environment.tenancy().idle()))) {
        end(environment);
      }
    }
  }

  private void end(Environment environment) {
    try {
      await(below.cancel(environment.ref()));
    } catch (Exception e) {
      LOG.warn("could not end environment {}, trying again", environment.ref(), e);
      environment.reopen(clock.now());
    }
  }

  /** Ends all environments of an experiment. */
  void vacate(ExperimentId experiment) throws Exception {
    for (AttemptRef each : register.of(experiment)) {
      EnvironmentRegistry.Entry entry = register.read(each);
      if (entry == null || !isHere(entry)) {
        continue;
      }
      await(below.cancel(each));
      register.remove(each);
      environments.remove(each);
    }
  }

  /** Releases an experiment that another server owns now. */
  void leave(ExperimentId experiment) {
    for (AttemptRef ref : List.copyOf(environments.keySet())) {
      if (isOf(ref, experiment)) {
        keepers.forget(ref);
        environments.remove(ref);
      }
    }
  }

  private static boolean isOf(AttemptRef ref, ExperimentId experiment) {
    return ref.trial().experiment().equals(experiment);
  }
}
