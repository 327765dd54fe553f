package io.orrery.orchestrator.quota;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.contract.Quotas;
import io.orrery.core.quota.Amounts;
import io.orrery.core.quota.QuotaObject;
import io.orrery.core.quota.QuotaResource;
import io.orrery.core.quota.QuotaScope;
import io.orrery.core.quota.QuotaWords;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The shares of projects in what they have together, and who is next: a higher priority first;
 * among equals the project with the least dominant share, which is the largest of its shares in any
 * resource (Ghodsi et al., Dominant Resource Fairness, NSDI 2011), of equal ones that which was
 * served longest ago; in a project who came first.
 */
final class FairShares {
  private final Map<QuotaResource, Long> limits;
  private final Map<ProjectName, Amounts> used;
  private final Map<QuotaResource, Long> free = new EnumMap<>(QuotaResource.class);

  /**
   * @param limits of all projects together; without any, all claims fit
   * @param used by project
   */
  FairShares(Map<QuotaResource, Long> limits, Map<ProjectName, Amounts> used) {
    this.limits = Map.copyOf(limits);
    this.used = Map.copyOf(used);
    limits.forEach((resource, limit) -> {
      long sum = used.values().stream().mapToLong(each -> each.get(resource)).sum();
      free.put(resource, Math.max(0, limit - sum));
    });
  }

  /**
   * Units that are waited for.
   *
   * @param object that waits; null for objects of other servers
   * @param scope whose limit it waits for
   * @param since when its project was last given something, or when it came
   */
  record Claim(
      @Nullable QuotaObject object,
      ProjectName project,
      int priority,
      Amounts unit,
      int missing,
      QuotaScope scope,
      Instant since) {}

  /** A number of further units for an object. */
  record Grant(QuotaObject object, int units) {}

  /**
   * A decision about all that wait.
   *
   * @param grants in their order
   * @param order the objects that are next, and null for each claim of another server
   */
  record Plan(List<Grant> grants, List<@Nullable QuotaObject> order) {}

  private record QueuedClaim(int arrival, Claim claim) {}

  private static final class ProjectClaims {
    final ProjectName project;
    final Deque<QueuedClaim> turns = new ArrayDeque<>();
    double share;
    int left;

    ProjectClaims(ProjectName project) {
      this.project = project;
    }

    QueuedClaim head() {
      return turns.element();
    }

    void next() {
      turns.remove();
      left = turns.isEmpty() ? 0 : head().claim().missing();
    }
  }

  private static final Comparator<QueuedClaim> IN_LANE =
      Comparator.<QueuedClaim>comparingInt(turn -> -turn.claim().priority())
          .thenComparingInt(QueuedClaim::arrival);

  private static final Comparator<ProjectClaims> BY_TURN =
      Comparator.<ProjectClaims>comparingInt(lane -> -lane.head().claim().priority())
          .thenComparingDouble(lane -> lane.share)
          .thenComparing(lane -> lane.head().claim().since())
          .thenComparing(lane -> lane.project.value()); // The same on all servers.

  /**
   * Gives what is free to those who are next. For who is next and does not fit, one unit is kept
   * free: those behind get only what it leaves, so a large claim does not wait for ever.
   *
   * @param claims in the order in which they came
   * @param places how many of those who are next are named
   */
  Plan plan(List<Claim> claims, int places) {
    Map<ProjectName, Amounts> then = new HashMap<>(used);
    PriorityQueue<ProjectClaims> lanes = lanes(claims);
    Set<Amounts> sizes = new HashSet<>();
    claims.forEach(claim -> sizes.add(claim.unit()));
    Map<QuotaResource, Long> left = new EnumMap<>(QuotaResource.class);
    left.putAll(free);
    int[] granted = new int[claims.size()];
    List<QueuedClaim> inOrder = new ArrayList<>();
    List<@Nullable QuotaObject> order = new ArrayList<>();
    while (!lanes.isEmpty()) {
      ProjectClaims lane = lanes.remove();
      QueuedClaim turn = lane.head();
      Claim claim = turn.claim();
      boolean fits = fits(claim.unit(), left);
      if (fits) {
        if (granted[turn.arrival()]++ == 0) {
          inOrder.add(turn);
        }
        lane.left--;
      }
      if (!fits || lane.left == 0) {
        if (!fits && order.size() < places) {
          order.add(claim.object());
        }
        lane.next();
      }
      left.replaceAll((resource, amount) -> Math.max(0, amount - claim.unit().get(resource)));
      lane.share = share(then.merge(lane.project, claim.unit(), Amounts::plus));
      if (!lane.turns.isEmpty()) {
        lanes.add(lane);
      }
      if (!fits && order.size() >= places && sizes.stream().noneMatch(size -> fits(size, left))) {
        break;
      }
    }
    List<Grant> grants = new ArrayList<>();
    for (QueuedClaim turn : inOrder) {
      QuotaObject object = turn.claim().object();
      if (object != null) {
        grants.add(new Grant(object, granted[turn.arrival()]));
      }
    }
    return new Plan(grants, order);
  }

  private PriorityQueue<ProjectClaims> lanes(List<Claim> claims) {
    Map<ProjectName, List<QueuedClaim>> turns = new HashMap<>();
    for (int i = 0; i < claims.size(); i++) {
      Claim claim = claims.get(i);
      if (claim.missing() > 0 && fits(claim.unit(), limits)) { // The others would block all.
        turns
            .computeIfAbsent(claim.project(), added -> new ArrayList<>())
            .add(new QueuedClaim(i, claim));
      }
    }
    PriorityQueue<ProjectClaims> lanes = new PriorityQueue<>(BY_TURN);
    turns.forEach((project, all) -> {
      ProjectClaims lane = new ProjectClaims(project);
      all.sort(IN_LANE);
      lane.turns.addAll(all);
      lane.left = lane.head().claim().missing();
      lane.share = share(used.getOrDefault(project, Amounts.NONE));
      lanes.add(lane);
    });
    return lanes;
  }

  /** What no project uses, of what is limited. */
  Map<QuotaResource, Long> free() {
    return free;
  }

  /** Whether a unit fits when nothing is used. */
  boolean everFits(Amounts unit) {
    return fits(unit, limits);
  }

  /** The dominant share of a project. */
  double shareOf(ProjectName project) {
    return share(used.getOrDefault(project, Amounts.NONE));
  }

  static boolean fits(Amounts unit, Map<QuotaResource, Long> left) {
    return left.entrySet().stream().allMatch(each -> unit.get(each.getKey()) <= each.getValue());
  }

  /** The dominant share: 1 for all there is of a resource. */
  double share(Amounts amounts) {
    double most = 0;
    for (Map.Entry<QuotaResource, Long> limit : limits.entrySet()) {
      long amount = amounts.get(limit.getKey());
      if (amount > 0) {
        most = Math.max(most, (double) amount / limit.getValue());
      }
    }
    return most;
  }

  /** Reads what the ledger has said. */
  static FairShares of(Quotas.Shares shares) {
    Map<ProjectName, Amounts> used = new HashMap<>();
    shares.projects().forEach(each -> used.put(each.project(), each.used()));
    return new FairShares(shares.limits(), used);
  }

  /** The words for why a unit of a project does not fit; empty when it does. */
  Optional<String> words(ProjectName project, Amounts unit) {
    Amounts all = used.values().stream().reduce(Amounts.NONE, Amounts::plus);
    Amounts own = used.getOrDefault(project, Amounts.NONE);
    return free.entrySet().stream()
        .filter(each -> unit.get(each.getKey()) > each.getValue())
        .map(each -> QuotaWords.ofServer(limits, unit, each.getKey(), project, all, own))
        .findFirst();
  }

  /**
   * Whether who holds units is to give one back as soon as it is not in use: of those that wait for
   * what it uses, one has a higher priority, or its project has no greater share than this one
   * without the unit. So it would be served first.
   */
  boolean givesWay(ProjectName project, int priority, Amounts unit, Collection<Claim> waiting) {
    double mine = share(used.getOrDefault(project, Amounts.NONE).minus(unit));
    return waiting.stream()
        .anyMatch(claim -> {
          boolean same = claim.project().equals(project);
          return needs(claim, same, unit)
              && (claim.priority() > priority
                  || (claim.priority() == priority
                      && !same
                      && share(used.getOrDefault(claim.project(), Amounts.NONE)) <= mine));
        });
  }

  /** Whether a claim waits for something that a unit of the project, or of another, uses. */
  private boolean needs(Claim claim, boolean same, Amounts unit) {
    return switch (claim.scope()) {
      case MEMBER -> false;
      case PROJECT -> same && claim.unit().of().keySet().stream().anyMatch(r -> unit.get(r) > 0);
      case SERVER ->
          free.entrySet().stream()
              .anyMatch(each ->
                  claim.unit().get(each.getKey()) > each.getValue() && unit.get(each.getKey()) > 0);
    };
  }
}
