package io.orrery.orchestrator.platform.reuse;

import static io.orrery.orchestrator.platform.Background.await;

import io.orrery.core.experiment.ExperimentId;
import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.time.Clock;
import io.orrery.core.trial.AttemptRef;
import io.orrery.core.trial.ParameterSet;
import io.orrery.core.trial.ParameterSource;
import io.orrery.core.trial.Parameters;
import io.orrery.core.trial.TrialId;
import io.orrery.core.trial.TrialRef;
import io.orrery.orchestrator.platform.Keepers;
import io.orrery.orchestrator.platform.Submission;
import io.orrery.orchestrator.platform.TrainingService;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
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
  private final Terms terms;
  private final Keepers keepers;
  private final Register register;
  private final Clock clock;
  private final Map<AttemptRef, Environment> environments = new ConcurrentHashMap<>();
  private long lastName;

  Environments(
      TrainingService below, Terms terms, Keepers keepers, Register register, Clock clock) {
    this.below = below;
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
  synchronized @Nullable Environment place(Tenant tenant, ExperimentSpec spec, Tenancy tenancy) {
    ExperimentId experiment = tenant.ref().trial().experiment();
    for (Environment each : environments.values()) {
      if (isOf(each.ref(), experiment) && each.admit(tenant)) {
        return null;
      }
    }
    // A name that was used before would find the job that had it.
    lastName = Math.max(lastName + 1, clock.millis());
    TrialId name = new TrialId(PREFIX + Long.toString(lastName, Character.MAX_RADIX));
    AttemptRef ref = new AttemptRef(new TrialRef(experiment, name), 1);
    Environment fresh = new Environment(ref, spec, tenancy, clock.now());
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

  private Submission submission(Environment environment) {
    return new Submission(
        environment.ref(),
        0,
        new ParameterSet(0, null, ParameterSource.CUSTOMIZED, Parameters.EMPTY),
        terms.environment(environment.spec()));
  }

  // ---- after a restart -----------------------------------------------------------------------

  /** One that an earlier server has made, and who lived there then. */
  record Earlier(Environment environment, List<Register.Tenant> tenants) {}

  /** Those of an experiment that are written down. */
  List<Earlier> earlier(ExperimentId experiment) throws IOException {
    List<Earlier> earlier = new ArrayList<>();
    for (AttemptRef ref : register.of(experiment)) {
      Register.Entry entry = register.read(ref);
      Environment environment =
          new Environment(ref, entry.spec(), terms.tenancy(entry.spec()), clock.now());
      environment.open().complete(null);
      earlier.add(new Earlier(environment, entry.tenants()));
    }
    return earlier;
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

  /** A tenant leaves the environment that it lived in, if that is still there. */
  void leave(Tenant tenant) {
    Environment environment = tenant.environment();
    if (environment != null && environments.containsKey(environment.ref())) {
      environment.leave(tenant, clock.now());
      try {
        writeDown(environment);
      } catch (IOException | ProblemException e) {
        LOG.warn("That {} has left its environment is not written down", tenant.ref(), e);
      }
    }
  }

  /** Notes who lives in one, for whoever comes after this server. */
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

  /** Lets nobody into one that has ended. */
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
      LOG.warn("The environment {} was not ended, trying again", environment.ref(), e);
      environment.reopen(clock.now());
    }
  }

  /** Ends all environments of an experiment. */
  void vacate(ExperimentId experiment) throws Exception {
    for (AttemptRef each : register.of(experiment)) {
      await(below.cancel(each));
      register.remove(each);
      environments.remove(each);
    }
  }

  /** Another server looks after an experiment. */
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
