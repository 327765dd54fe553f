package io.orrery.compute.reuse;

import io.orrery.compute.attempt.Background;
import io.orrery.compute.service.Keepers;
import io.orrery.compute.service.Keepers.State;
import io.orrery.compute.service.PlatformEvent;
import io.orrery.compute.service.PlatformListener;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The start and the end of a tenant, as its keeper reports or as others conclude, each told once.
 * Apart, because an end may come from many sides at the same time, and whichever is first frees the
 * place.
 */
final class TenantLifecycle {

  private static final Logger LOG = LoggerFactory.getLogger(TenantLifecycle.class);

  private final Roster roster;
  private final Environments environments;
  private final Terms terms;
  private final Keepers keepers;
  private final Clock clock;
  private final PlatformListener listener;
  private final Background background;

  /**
   * @param listener is told
   */
  TenantLifecycle(
      Roster roster,
      Environments environments,
      Terms terms,
      Keepers keepers,
      Clock clock,
      PlatformListener listener,
      Background background) {
    this.roster = roster;
    this.environments = environments;
    this.terms = terms;
    this.keepers = keepers;
    this.clock = clock;
    this.listener = listener;
    this.background = background;
  }

  /** From now on what its keeper says of it is heard. */
  void follow(Tenant tenant) {
    keepers.follow(tenant.ref(), new EndListener(tenant));
  }

  void tellStarted(Tenant tenant, Instant at) {
    Environment environment = tenant.environment();
    String url = environment == null ? null : terms.url(environment.job(), tenant.ref());
    listener.happened(
        new PlatformEvent.Started(
            tenant.ref(), at, url == null ? keepers.storageUrl(tenant.ref()) : url));
  }

  /**
   * Takes the end that a keeper has told. A command that was ended with SIGTERM is held back where
   * this server did not ask for it: an environment that is taken away ends what runs in it so, and
   * what the platform takes away is lost. An environment that asks for work again has not been
   * taken away.
   */
  void told(Tenant tenant, State.Ended end) {
    Environment environment = tenant.environment();
    if (environment == null || !isDoubtful(tenant, end)) {
      finish(tenant, end);
      return;
    }
    tenant.hold(end);
    if (tenant.start(end.at())) {
      tellStarted(tenant, end.at());
    }
    if (tenant.isCanceled()) {
      finishHeld(tenant);
    } else {
      // Its environment is answered now, and asks again.
      keepers.offered(environment.ref());
    }
  }

  /** Whether an end may be that of the environment, and not of the command. */
  boolean isDoubtful(Tenant tenant, State.Ended end) {
    return end.exitCode() == State.Ended.TERMINATED && !tenant.isCanceled();
  }

  /** Ends one as its keeper has told, if that is held back. */
  void finishHeld(Tenant tenant) {
    State.Ended end = tenant.held();
    if (end != null) {
      finish(tenant, end);
    }
  }

  /** Ends one as its keeper has told. */
  void finish(Tenant tenant, State.Ended end) {
    if (tenant.start(end.at())) {
      tellStarted(tenant, end.at());
    }
    finish(tenant, end.exitCode(), end.at(), end.reason());
  }

  /** Ends one whose keeper has told an end, or never will; whether that is so. */
  boolean finishIfKnown(Tenant tenant, Map<String, State> states) {
    Optional<State.Ended> end = State.end(states);
    if (end.isPresent()) {
      finish(tenant, end.get());
    } else if (tenant.isCanceled() && !tenant.isStarted()) {
      neverStarts(tenant);
    } else {
      return false;
    }
    return true;
  }

  /** Ends one that was canceled before it started. */
  void neverStarts(Tenant tenant) {
    finish(tenant, null, clock.now(), "canceled before it started");
  }

  /** Ends one whose exit code is unknown. */
  void lost(Tenant tenant, String why) {
    finish(tenant, null, clock.now(), why);
  }

  void finish(Tenant tenant, @Nullable Integer exitCode, Instant at, @Nullable String reason) {
    if (!tenant.end()) {
      return;
    }
    makeRoom(tenant);
    listener.happened(new PlatformEvent.Ended(tenant.ref(), exitCode, at, reason));
    // Only now: of whom the roster does not know, the end has been told.
    roster.remove(tenant);
    keepers.over(tenant.ref());
    tenant.over().complete(null);
  }

  /** One goes of which no end is told; its place is free for others. */
  void forget(Tenant tenant) {
    roster.remove(tenant);
    makeRoom(tenant);
  }

  private void makeRoom(Tenant tenant) {
    environments.leave(tenant);
    environments.bringForward(tenant.ref().trial().experiment());
  }

  /** Hears the keeper of a tenant. */
  private final class EndListener implements Keepers.Listener {
    private final Tenant tenant;

    EndListener(Tenant tenant) {
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
        soon(() -> told(tenant, end));
      }
    }

    @Override
    public void noted(AttemptRef attempt, String note) {
      listener.happened(new PlatformEvent.Noted(attempt, note));
    }

    @Override
    public void silent(AttemptRef attempt, String keeper, Duration since) {
      LOG.info("keeper {} of {} has been silent for {} s", keeper, attempt, since.toSeconds());
    }
  }

  private void soon(Runnable step) {
    try {
      background.execute(() -> {
        try {
          step.run();
        } catch (RuntimeException e) {
          LOG.warn("could not handle an event of a keeper", e);
        }
      });
    } catch (RejectedExecutionException closing) {
      LOG.trace("dropping an event: the platform is closed");
    }
  }
}
