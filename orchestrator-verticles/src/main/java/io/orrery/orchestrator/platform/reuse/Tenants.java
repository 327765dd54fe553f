package io.orrery.orchestrator.platform.reuse;

import static io.orrery.orchestrator.platform.Background.await;

import io.orrery.core.experiment.ExperimentId;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import io.orrery.core.trial.AttemptRef;
import io.orrery.orchestrator.platform.Background;
import io.orrery.orchestrator.platform.Keepers;
import io.orrery.orchestrator.platform.Keepers.Offer;
import io.orrery.orchestrator.platform.Keepers.State;
import io.orrery.orchestrator.platform.PlatformEvent;
import io.orrery.orchestrator.platform.PlatformListener;
import io.orrery.orchestrator.platform.Submission;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who lives in which of the {@link Environments}. A trial gets a free place, or an environment is
 * made for it; so there are never more environments than trials that run at once. What has become
 * of a trial its keeper tells; where that cannot, its environment does. Methods may block.
 */
final class Tenants {
  private static final Logger LOG = LoggerFactory.getLogger(Tenants.class);

  private final Environments environments;
  private final Terms terms;
  private final Keepers keepers;
  private final Clock clock;
  private final PlatformListener listener;
  private final Background background;
  private final Map<AttemptRef, Tenant> tenants = new ConcurrentHashMap<>();

  /** Those whom an earlier server has let in and nobody has asked for since. */
  private final Map<AttemptRef, Tenant> before = new ConcurrentHashMap<>();

  private final Map<ExperimentId, CompletableFuture<@Nullable Void>> loaded =
      new ConcurrentHashMap<>();

  Tenants(
      Environments environments,
      Terms terms,
      Keepers keepers,
      Clock clock,
      PlatformListener listener,
      Background background) {
    this.environments = environments;
    this.terms = terms;
    this.keepers = keepers;
    this.clock = clock;
    this.listener = listener;
    this.background = background;
  }

  boolean knows(AttemptRef attempt) {
    return tenants.containsKey(attempt);
  }

  // ---- coming --------------------------------------------------------------------------------

  void submit(Submission submission) throws Exception {
    Tenant fresh = tenant(submission.attempt());
    Tenant present = tenants.putIfAbsent(fresh.ref(), fresh);
    if (present != null) {
      await(present.submitted());
      return;
    }
    try {
      if (!isKnown(fresh, submission)) {
        moveIn(fresh, submission);
      }
      fresh.submitted().complete(null);
    } catch (Exception e) {
      forget(fresh);
      fresh.submitted().completeExceptionally(e);
      fresh.over().complete(null);
      throw e;
    }
  }

  /** Those of which nothing is known: they never started. */
  List<AttemptRef> adopt(List<Submission> submissions) throws Exception {
    List<AttemptRef> unknown = new ArrayList<>();
    for (Submission submission : submissions) {
      Tenant fresh = Background.patiently(Integer.MAX_VALUE, () -> tenant(submission.attempt()));
      if (tenants.putIfAbsent(fresh.ref(), fresh) != null) {
        continue;
      }
      boolean known = Background.patiently(Integer.MAX_VALUE, () -> isKnown(fresh, submission));
      if (!known) {
        forget(fresh);
        fresh.over().complete(null);
        unknown.add(fresh.ref());
      }
      fresh.submitted().complete(null);
    }
    return List.copyOf(unknown);
  }

  /** One that was here before, or a new one. */
  private Tenant tenant(AttemptRef ref) throws Exception {
    load(ref.trial().experiment());
    Tenant earlier = before.get(ref);
    return earlier == null ? new Tenant(ref) : earlier;
  }

  /** Whether it has been here before; then its story goes on, or its end is told again. */
  private boolean isKnown(Tenant fresh, @Nullable Submission submission) throws Exception {
    AttemptRef ref = fresh.ref();
    Map<String, State> states = await(keepers.states(ref));
    Optional<State.Ended> end = State.end(states);
    boolean lives = before.remove(ref) != null;
    Environment environment = fresh.environment();
    if (end.isPresent()) {
      finish(fresh, end.get());
    } else if (lives && environment != null) {
      if (states.isEmpty() && submission != null) {
        fresh.launch(submission, launch(submission, environment.tenancy()));
      } else if (submission != null) {
        await(keepers.restore(submission));
      }
      keepers.follow(ref, new Ear(fresh));
    } else if (!states.isEmpty()) {
      finish(fresh, lost(ref, "its environment is gone, and with it how it ended"));
    } else if (await(keepers.isCanceled(ref))) {
      finish(fresh, never(ref));
    } else {
      return false;
    }
    return true;
  }

  private void moveIn(Tenant tenant, Submission submission) throws Exception {
    Tenancy tenancy = terms.tenancy(submission.spec());
    Environment made = environments.place(tenant, submission.spec(), tenancy);
    Environment environment = Objects.requireNonNull(tenant.environment());
    try {
      if (made != null) {
        environments.open(made, offers(made));
      }
      await(environment.open());
      keepers.follow(tenant.ref(), new Ear(tenant));
      Keepers.Launch launch = launch(submission, tenancy);
      environments.writeDown(environment);
      tenant.launch(submission, launch);
      keepers.offered(environment.ref());
      if (!environment.isRunning()) {
        // A place elsewhere may have become free meanwhile.
        bringForward(tenant.ref().trial().experiment());
      }
    } catch (Exception e) {
      keepers.forget(tenant.ref());
      environment.leave(tenant, clock.now());
      throw e;
    }
    String waits = environment.waits();
    if (waits != null && !tenant.isStarted()) {
      listener.happened(new PlatformEvent.Waiting(tenant.ref(), waits));
    }
  }

  private Keepers.Launch launch(Submission submission, Tenancy tenancy) throws Exception {
    AttemptRef ref = submission.attempt();
    Path directory = tenancy.codeDirectory();
    Keepers.Code code =
        directory == null ? null : await(keepers.pack(ref.trial().experiment(), directory));
    Keepers.Role role =
        new Keepers.Role(tenancy.role(), Keepers.Reports.ALL, tenancy.command(), code);
    Keepers.Launch alone = await(keepers.launch(submission, role));
    return alone.with(terms.variables(submission.spec(), ref));
  }

  private void bringForward(ExperimentId experiment) {
    environments
        .bringForward(experiment)
        .forEach(environment -> keepers.offered(environment.ref()));
  }

  // ---- after a restart -----------------------------------------------------------------------

  /** Takes up the environments that an earlier server has made; once, by whoever comes first. */
  private void load(ExperimentId experiment) throws Exception {
    keepers.mustAct(experiment);
    CompletableFuture<@Nullable Void> fresh = new CompletableFuture<>();
    CompletableFuture<@Nullable Void> present = loaded.putIfAbsent(experiment, fresh);
    if (present != null) {
      await(present);
      return;
    }
    try {
      List<Environments.Earlier> earlier = environments.earlier(experiment);
      for (Environments.Earlier each : earlier) {
        for (Register.Tenant tenant : each.tenants()) {
          Tenant known = new Tenant(tenant.in(experiment));
          Tenant twice = before.get(known.ref());
          Environment left = twice == null ? null : twice.environment();
          if (twice != null && left != null) {
            // It was moving when the server went, and is found where it moved to.
            left.leave(twice, clock.now());
          }
          each.environment().take(known, tenant.gpus());
          before.put(known.ref(), known);
        }
      }
      for (Environment gone : environments.adopt(earlier, this::offers)) {
        ended(gone, new PlatformEvent.Ended(gone.ref(), null, clock.now(), "it is gone"));
      }
      fresh.complete(null);
    } catch (Exception e) {
      loaded.remove(experiment, fresh);
      fresh.completeExceptionally(e);
      throw e;
    }
  }

  // ---- what environments say -----------------------------------------------------------------

  private Keepers.Offers offers(Environment environment) {
    return (number, running, ended) ->
        background.run(() -> take(environment, number, running, ended));
  }

  /**
   * Environments ask one question after the other, so what two of them do not name is over. One
   * does not suffice: it may have been with a server that stood still, and be older than what is
   * known from a keeper itself.
   */
  private List<Offer> take(
      Environment environment, long number, Set<String> running, Map<String, Integer> ended)
      throws Exception {
    if (!environment.isLatest(number)) {
      throw new Problem.Busy("it has asked again since", Duration.ofSeconds(1)).toException();
    }
    List<Offer> offers = new ArrayList<>();
    for (Tenant tenant : environment.tenants()) {
      Keepers.Launch launch = tenant.launch();
      boolean missing = tenant.isMissing(number, running.contains(tenant.key()));
      if (before.containsKey(tenant.ref())) {
        if (missing || ended.containsKey(tenant.key())) {
          // Whoever asks for it finds in its files what became of it.
          before.remove(tenant.ref());
          environment.leave(tenant, clock.now());
        }
      } else if (ended.containsKey(tenant.key())) {
        gone(tenant, "its keeper ended with exit code " + ended.get(tenant.key()));
      } else if (!running.contains(tenant.key()) && launch != null) {
        offers.add(new Offer(tenant.key(), launch));
      } else if (missing && tenant.isStarted()) {
        gone(tenant, "its keeper is gone");
      }
    }
    return List.copyOf(offers);
  }

  /** Its keeper runs no more; if it has not told the end, nobody can. */
  private void gone(Tenant tenant, String how) throws Exception {
    Map<String, State> states = await(keepers.states(tenant.ref()));
    Optional<State.Ended> end = State.end(states);
    if (end.isPresent()) {
      finish(tenant, end.get());
    } else if (tenant.isCanceled() && !tenant.isStarted()) {
      finish(tenant, never(tenant.ref()));
    } else {
      finish(tenant, lost(tenant.ref(), how + " and has not told how the command ended"));
    }
  }

  /** What the platform below says of an environment. */
  void happened(PlatformEvent event) {
    Environment environment = environments.get(event.attempt());
    if (environment == null) {
      return;
    }
    switch (event) {
      case PlatformEvent.Waiting(var _, String reason) -> {
        environment.waits(reason);
        environment.tenants().stream()
            .filter(tenant -> !tenant.isStarted())
            .forEach(tenant -> listener.happened(new PlatformEvent.Waiting(tenant.ref(), reason)));
      }
      case PlatformEvent.Started(var _, Instant at, var _) -> {
        boolean back = environment.isRunning();
        environment.runs();
        if (back) {
          environment.tenants().stream()
              .filter(Tenant::isStarted)
              .forEach(tenant -> tellStarted(tenant, at));
        }
        bringForward(environment.ref().trial().experiment());
      }
      case PlatformEvent.Noted(var _, String note) -> environment.note(note);
      case PlatformEvent.Unreachable(var _, String reason) -> {
        environment.goesAway();
        environment.tenants().stream()
            .filter(Tenant::isStarted)
            .forEach(
                tenant -> listener.happened(new PlatformEvent.Unreachable(tenant.ref(), reason)));
      }
      case PlatformEvent.Vacated _ -> {}
      case PlatformEvent.Ended ended -> soon(() -> ended(environment, ended));
    }
  }

  /** What ran in it ends with it, unless its keeper has told an end. */
  private void ended(Environment environment, PlatformEvent.Ended end) throws Exception {
    environments.close(environment);
    String words = end.reason() == null ? "exit code " + end.exitCode() : end.reason();
    String why = "its environment %s ended: %s".formatted(environment.ref().trial().trial(), words);
    for (Tenant tenant : environment.tenants()) {
      if (before.remove(tenant.ref()) != null) {
        continue;
      }
      Map<String, State> states = await(keepers.states(tenant.ref()));
      Optional<State.Ended> told = State.end(states);
      boolean ran = environment.isRunning() || !states.isEmpty();
      if (told.isPresent()) {
        finish(tenant, told.get());
      } else if (tenant.isCanceled() && !tenant.isStarted()) {
        finish(tenant, never(tenant.ref()));
      } else if (!ran || !states.isEmpty() || !movesOn(tenant)) {
        if (ran) {
          // Nothing of it may go on where nobody sees it.
          await(keepers.cancel(tenant.ref()));
        }
        // What never ran has failed as its environment has.
        Integer code = ran || Integer.valueOf(0).equals(end.exitCode()) ? null : end.exitCode();
        finish(tenant, new PlatformEvent.Ended(tenant.ref(), code, end.at(), why));
      }
    }
    environments.forget(environment);
  }

  /** One that its environment has not come to start tries another one; whether it does. */
  private boolean movesOn(Tenant tenant) {
    Submission submission = tenant.again();
    if (submission == null) {
      return false;
    }
    try {
      moveIn(tenant, submission);
      return true;
    } catch (Exception e) {
      LOG.warn("{} has found no other environment", tenant.ref(), e);
      return false;
    }
  }

  // ---- what keepers say ----------------------------------------------------------------------

  /** Hears the keeper of a tenant. */
  private final class Ear implements Keepers.Listener {
    private final Tenant tenant;

    Ear(Tenant tenant) {
      this.tenant = tenant;
    }

    @Override
    public void started(AttemptRef attempt, String keeper, boolean primary, Instant at) {
      if (tenant.start(at)) {
        tellStarted(tenant, at);
        Environment environment = tenant.environment();
        if (environment != null) {
          environment.notes().forEach(note -> noted(attempt, note));
        }
      }
    }

    @Override
    public void ended(AttemptRef attempt, String keeper, State.Ended end) {
      if (end.primary()) {
        soon(() -> finish(tenant, end));
      }
    }

    @Override
    public void noted(AttemptRef attempt, String note) {
      listener.happened(new PlatformEvent.Noted(attempt, note));
    }

    @Override
    public void silent(AttemptRef attempt, String keeper, Duration since) {
      LOG.info("Keeper {} of {} has been silent for {} s", keeper, attempt, since.toSeconds());
    }
  }

  private void tellStarted(Tenant tenant, Instant at) {
    Environment environment = tenant.environment();
    String url = environment == null ? null : terms.url(environment.spec(), tenant.ref());
    listener.happened(
        new PlatformEvent.Started(
            tenant.ref(), at, url == null ? keepers.storageUrl(tenant.ref()) : url));
  }

  // ---- leaving -------------------------------------------------------------------------------

  /** Ends one; whether it lives here. */
  boolean cancel(AttemptRef ref) throws Exception {
    Tenant tenant = tenants.get(ref);
    if (tenant == null) {
      if (!environments.knows(ref.trial().experiment())) {
        return false;
      }
      Tenant fresh = tenant(ref);
      if (!before.containsKey(ref)) {
        // One that has been here has ended, and that was told.
        return !await(keepers.states(ref)).isEmpty();
      }
      tenant = tenants.putIfAbsent(ref, fresh);
      if (tenant == null) {
        tenant = fresh;
        isKnown(fresh, null);
        fresh.submitted().complete(null);
      }
    }
    try {
      tenant.submitted().get();
    } catch (ExecutionException e) {
      LOG.debug("{} never came to run", ref, e);
      await(keepers.cancel(ref));
      return true;
    }
    tenant.cancel();
    await(keepers.cancel(ref));
    if (!tenant.isStarted() && await(keepers.states(ref)).isEmpty()) {
      // None of its keepers may start any more.
      finish(tenant, never(ref));
    }
    await(tenant.over());
    return true;
  }

  /** Takes one back whose environment has not come to run; whether it was taken back. */
  boolean withdraw(AttemptRef ref) throws Exception {
    Tenant tenant = tenants.get(ref);
    Environment environment = tenant == null ? null : tenant.environment();
    if (tenant == null
        || environment == null
        || tenant.launch() == null
        || !environments.letGo(tenant)) {
      return false;
    }
    tenant.end();
    tenants.remove(ref, tenant);
    keepers.forget(ref);
    tenant.over().complete(null);
    environments.withdraw(environment);
    return true;
  }

  private void finish(Tenant tenant, State.Ended end) {
    if (tenant.start(end.at())) {
      tellStarted(tenant, end.at());
    }
    finish(tenant, new PlatformEvent.Ended(tenant.ref(), end.exitCode(), end.at(), end.reason()));
  }

  private void finish(Tenant tenant, PlatformEvent.Ended event) {
    if (!tenant.end()) {
      return;
    }
    forget(tenant);
    listener.happened(event);
    keepers.over(tenant.ref());
    tenant.over().complete(null);
  }

  private void forget(Tenant tenant) {
    tenants.remove(tenant.ref(), tenant);
    keepers.forget(tenant.ref());
    environments.leave(tenant);
    bringForward(tenant.ref().trial().experiment());
  }

  private PlatformEvent.Ended never(AttemptRef ref) {
    return new PlatformEvent.Ended(ref, null, clock.now(), "canceled before it started");
  }

  private PlatformEvent.Ended lost(AttemptRef ref, String why) {
    return new PlatformEvent.Ended(ref, null, clock.now(), why);
  }

  /** Ends all environments of an experiment. */
  void vacate(ExperimentId experiment) throws Exception {
    if (environments.knows(experiment)) {
      load(experiment);
      environments.vacate(experiment);
    }
    loaded.remove(experiment);
  }

  /** Another server looks after an experiment: everybody stays where they are. */
  void leave(ExperimentId experiment) {
    loaded.remove(experiment);
    forget(before, experiment);
    environments.leave(experiment);
    for (Tenant gone : forget(tenants, experiment)) {
      gone.submitted().complete(null);
      gone.over().complete(null);
    }
  }

  private <T> List<T> forget(Map<AttemptRef, T> all, ExperimentId experiment) {
    List<T> gone = new ArrayList<>();
    for (AttemptRef ref : List.copyOf(all.keySet())) {
      if (ref.trial().experiment().equals(experiment)) {
        keepers.forget(ref);
        T one = all.remove(ref);
        if (one != null) {
          gone.add(one);
        }
      }
    }
    return gone;
  }

  /** The server goes; everybody stays where they are. */
  void forget() {
    tenants.keySet().forEach(keepers::forget);
  }

  private void soon(Background.Step step) {
    try {
      background.execute(() -> {
        try {
          step.run();
        } catch (Exception e) {
          LOG.warn("An environment's news could not be taken", e);
        }
      });
    } catch (RejectedExecutionException closing) {
      LOG.trace("No news after the end.");
    }
  }
}
