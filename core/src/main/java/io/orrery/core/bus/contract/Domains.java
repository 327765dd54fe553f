package io.orrery.core.bus.contract;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.Address;
import io.orrery.core.bus.Topic;
import io.orrery.core.bus.contract.People.Actor;
import io.orrery.core.service.RolloutState;
import io.orrery.core.service.ServiceName;
import io.orrery.core.service.ServiceShare;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Questions about domains: hosts that several services share, and the rollouts by which one takes
 * over from another. The studio answers.
 */
public final class Domains {
  /** The most backends of a domain, and the most shadows. */
  public static final int MOST_BACKENDS = 100;

  public static final Address<ListDomains, DomainList> LIST =
      new Address<>("domains.list", ListDomains.class, DomainList.class);

  public static final Address<GetDomain, Domain> GET =
      new Address<>("domains.get", GetDomain.class, Domain.class);

  /**
   * Divides the requests of a domain. Refused with all findings; Conflict while a rollout is under
   * way.
   */
  public static final Address<PutDomain, Domain> PUT =
      new Address<>("domains.put", PutDomain.class, Domain.class);

  /** Steers a rollout; Conflict when there is none that it could steer. */
  public static final Address<Steer, Domain> STEER =
      new Address<>("domains.steer", Steer.class, Domain.class);

  /** A hint that deployments or domains have changed. */
  public static final Topic<Changed> CHANGED = new Topic<>("domains.changed", Changed.class);

  private Domains() {}

  /**
   * The rollout of a domain.
   *
   * @param step 0 while the candidate is not ready, then from 1
   * @param steps the number of steps
   * @param candidate the service that takes over; null when there has been none
   * @param reason a sentence on the state; null when there is nothing to say
   * @param since when it came into this state and step
   * @param percents what the candidate gets at each step; empty when there has been none
   * @param gates what each step asks for, in words
   * @param times when each step that it came to began, in their order
   * @param ended when the candidate got all requests for good, or lost its share; null before
   */
  public record Rollout(
      RolloutState state,
      int step,
      int steps,
      @Nullable ServiceName candidate,
      @Nullable String reason,
      Instant since,
      List<Integer> percents,
      List<String> gates,
      List<StepTime> times,
      @Nullable Instant ended) {
    public Rollout {
      percents = List.copyOf(percents);
      gates = List.copyOf(gates);
      times = List.copyOf(times);
    }
  }

  /** The beginning of a step of a rollout. */
  public record StepTime(int step, Instant at) {}

  /**
   * A domain.
   *
   * @param host in lower case
   * @param owner of the service that was deployed with it first
   * @param backends whose percents are 100 together
   * @param shadows that get copies
   * @param members all services that are deployed with this host, with and without a share
   */
  public record Domain(
      String host,
      ProjectName project,
      String owner,
      List<ServiceShare> backends,
      List<ServiceShare> shadows,
      List<ServiceName> members,
      Rollout rollout,
      long revision,
      Instant changedAt) {
    public Domain {
      backends = List.copyOf(backends);
      shadows = List.copyOf(shadows);
      members = List.copyOf(members);
    }
  }

  /**
   * A request for domains.
   *
   * @param among the projects whose domains may be seen; null for all
   */
  public record ListDomains(@Nullable List<ProjectName> among) {
    public ListDomains {
      among = among == null ? null : List.copyOf(among);
    }
  }

  public record DomainList(List<Domain> items) {
    public DomainList {
      items = List.copyOf(items);
    }
  }

  public record GetDomain(String host) {}

  /**
   * A request to divide the requests of a domain.
   *
   * @param shadows null to leave them as they are
   * @param ifRevision the revision that is to be changed; null for any
   * @param dryRun whether it is only checked
   */
  public record PutDomain(
      Actor by,
      String host,
      List<ServiceShare> backends,
      @Nullable List<ServiceShare> shadows,
      @Nullable Long ifRevision,
      boolean dryRun) {
    public PutDomain {
      backends = List.copyOf(backends);
      shadows = shadows == null ? null : List.copyOf(shadows);
    }
  }

  /** A way to steer a rollout. */
  public enum Action {
    /** Leaves the shares as they are. */
    PAUSE,
    /** Goes on with the present step, from its beginning. */
    RESUME,
    /** Gives the candidate all requests now. */
    PROMOTE,
    /** Gives back the shares of before. */
    ABORT
  }

  public record Steer(Actor by, String host, Action action) {}

  public record Changed() {}
}
