package io.orrery.compute.reuse;

import static io.orrery.compute.attempt.Background.await;

import io.orrery.compute.service.Keepers;
import io.orrery.compute.service.PlatformEvent;
import io.orrery.compute.service.PlatformListener;
import io.orrery.compute.service.Submission;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.time.Clock;
import java.nio.file.Path;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives a tenant a free place, or has an environment made for it; so there are never more
 * environments than trials that run at once. Apart, because a tenant whose environment has not come
 * to run is placed once more, without being submitted again.
 */
final class Placement {
  private static final Logger LOG = LoggerFactory.getLogger(Placement.class);

  private final Environments environments;
  private final EnvironmentOffers offers;
  private final TenantLifecycle lifecycle;
  private final Terms terms;
  private final Keepers keepers;
  private final Clock clock;
  private final PlatformListener listener;

  /**
   * @param listener is told what a tenant waits for
   */
  Placement(
      Environments environments,
      EnvironmentOffers offers,
      TenantLifecycle lifecycle,
      Terms terms,
      Keepers keepers,
      Clock clock,
      PlatformListener listener) {
    this.environments = environments;
    this.offers = offers;
    this.lifecycle = lifecycle;
    this.terms = terms;
    this.keepers = keepers;
    this.clock = clock;
    this.listener = listener;
  }

  void moveIn(Tenant tenant, Submission submission) throws Exception {
    EnvironmentTenancy tenancy = terms.tenancy(submission.job());
    Environment made = environments.place(tenant, submission.job(), tenancy);
    Environment environment = Objects.requireNonNull(tenant.environment());
    try {
      if (made != null) {
        environments.open(made, offers.to(made));
      }
      await(environment.open());
      lifecycle.follow(tenant);
      Keepers.Launch launch = launch(submission, tenancy);
      environments.writeDown(environment);
      tenant.launch(submission, launch);
      keepers.offered(environment.ref());
      if (!environment.isRunning()) {
        // A place elsewhere may have become free meanwhile.
        environments.bringForward(tenant.ref().trial().experiment());
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

  /** One that its environment has not come to start tries another one; whether it does. */
  boolean movesOn(Tenant tenant) {
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

  /** What an environment starts it with. */
  Keepers.Launch launch(Submission submission, EnvironmentTenancy tenancy) throws Exception {
    AttemptRef ref = submission.attempt();
    Path directory = tenancy.codeDirectory();
    Keepers.Code code =
        directory == null ? null : await(keepers.pack(ref.trial().experiment(), directory));
    Keepers.Role role =
        new Keepers.Role(tenancy.role(), Keepers.Reports.ALL, tenancy.command(), code);
    Keepers.Launch alone = await(keepers.launch(submission, role));
    return alone.with(terms.variables(submission.job(), ref));
  }
}
