package io.orrery.studio.rollout;

import io.orrery.core.service.RolloutState;
import io.orrery.core.service.ServiceName;
import io.orrery.core.service.ServiceShare;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The content of a domain.
 *
 * @param backends whose percents are 100 together; empty when nothing is deployed
 * @param shadows that get copies
 * @param members the services that are deployed with this host, with their generations
 */
public record DomainState(
    List<ServiceShare> backends,
    List<ServiceShare> shadows,
    Map<ServiceName, Long> members,
    Rollout rollout) {
  public DomainState {
    backends = List.copyOf(backends);
    shadows = List.copyOf(shadows);
    members = Map.copyOf(members);
  }

  /** A domain that nothing is deployed at. */
  public static DomainState empty(Instant at) {
    return new DomainState(List.of(), List.of(), Map.of(), Rollout.none(at));
  }

  /**
   * A service that is deployed with the host of the domain.
   *
   * @param generation of the deployment; a higher one is a new deployment
   */
  public record Member(
      ServiceName service, long generation, Instant deployedAt, RolloutPolicy policy) {}

  /** The same with a rollout in its next state, and the shares that follow from it. */
  public DomainState with(Rollout next) {
    return new DomainState(
        next.candidate() == null || next.state() == RolloutState.IDLE ? backends : next.shares(),
        shadows,
        members,
        next);
  }

  /** The same with shares that a person has set. */
  public DomainState divided(List<ServiceShare> shares, List<ServiceShare> copies, Instant at) {
    return new DomainState(shares, copies, members, Rollout.none(at));
  }

  /**
   * Takes in what is deployed now: forgets what is not there any more, and lets a service take over
   * that was deployed since the last look. The first service of a domain has all requests at once.
   *
   * @return the same object when nothing changes
   */
  public DomainState deployed(List<Member> present, Instant at) {
    Map<ServiceName, Long> now = new TreeMap<>();
    present.forEach(member -> now.put(member.service(), member.generation()));
    if (now.equals(new TreeMap<>(members))) {
      return this;
    }
    DomainState left = forgetting(now, at);
    Optional<Member> fresh =
        present.stream()
            .filter(member -> isFresh(member, left))
            .max(Comparator.comparing(Member::deployedAt).thenComparing(Member::service));
    if (fresh.isEmpty()) {
      return left;
    }
    ServiceName service = fresh.get().service();
    if (left.backends.isEmpty()) {
      return new DomainState(
          List.of(new ServiceShare(service, 100)), left.shadows, now, Rollout.none(at));
    }
    List<ServiceShare> before =
        left.rollout.isActive() && !left.rollout.before().isEmpty()
            ? left.rollout.before()
            : left.backends;
    return left.with(Rollout.begin(service, before, fresh.get().policy(), at));
  }

  /** Whether a deployment is new and its service has no share to go on with. */
  private boolean isFresh(Member member, DomainState left) {
    Long known = members.get(member.service());
    boolean isNew = known == null || member.generation() > known;
    boolean serves =
        left.backends.stream().anyMatch(backend -> backend.service().equals(member.service()));
    boolean takingOver =
        left.rollout.isActive() && member.service().equals(left.rollout.candidate());
    return isNew && !serves && !takingOver;
  }

  private DomainState forgetting(Map<ServiceName, Long> now, Instant at) {
    Rollout next = rollout.after(among(rollout.before(), now));
    ServiceName candidate = rollout.candidate();
    boolean lost = candidate != null && !now.containsKey(candidate);
    if (rollout.isActive() && lost) {
      next = next.to(RolloutState.ROLLED_BACK, next.step(), candidate + " was cleared", at);
    }
    List<ServiceShare> shares = rollout.isActive() ? next.shares() : among(backends, now);
    return new DomainState(whole(shares), shadows, now, next);
  }

  /** The shares of those that are still there, scaled to 100. */
  private static List<ServiceShare> among(
      List<ServiceShare> shares, Map<ServiceName, Long> present) {
    return whole(shares.stream().filter(share -> present.containsKey(share.service())).toList());
  }

  private static List<ServiceShare> whole(List<ServiceShare> shares) {
    int sum = shares.stream().mapToInt(ServiceShare::percent).sum();
    if (sum == 100 || shares.isEmpty()) {
      return shares;
    }
    List<ServiceShare> all = new ArrayList<>();
    int given = 0;
    int seen = 0;
    for (ServiceShare share : shares) {
      seen += sum == 0 ? 0 : share.percent();
      int until = sum == 0 ? 0 : Math.toIntExact(Math.round(seen * 100.0 / sum));
      all.add(new ServiceShare(share.service(), until - given));
      given = until;
    }
    if (given < 100) {
      ServiceShare first = all.getFirst();
      all.set(0, new ServiceShare(first.service(), first.percent() + 100 - given));
    }
    return all;
  }

  /** Shares as documents and commands write them. */
  public static String words(List<ServiceShare> shares) {
    return shares.stream().map(ServiceShare::toString).collect(Collectors.joining(","));
  }

  /** The members that have no request to answer once a rollout is over and are to be cleared. */
  public List<ServiceName> superseded() {
    return members.keySet().stream()
        .filter(member -> backends.stream().noneMatch(share -> share.service().equals(member)))
        .sorted()
        .toList();
  }
}
