package io.orrery.orchestrator.quota;

import io.orrery.core.access.ProjectName;
import io.orrery.core.quota.Amounts;
import io.orrery.core.quota.QuotaObject;
import io.orrery.core.quota.QuotaResource;
import io.orrery.core.quota.QuotaScope;
import io.orrery.orchestrator.quota.FairShares.Claim;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A choice of the objects that end trials for others of a higher priority, which wait for what all
 * projects share. It takes those of the lowest priority first, of these from the project with the
 * largest share, and nothing unless that suffices for one unit.
 */
final class Preemption {
  private final Map<QuotaResource, Long> left = new EnumMap<>(QuotaResource.class);
  private final Map<QuotaObject, Integer> ended = new LinkedHashMap<>();
  private final List<Holding> holdings;

  /**
   * The units that an object holds and could give up.
   *
   * @param units without those that are ending
   */
  record Holding(QuotaObject object, ProjectName project, int priority, Amounts unit, int units) {}

  private Preemption(FairShares fair, List<Holding> holdings, Amounts ending) {
    fair.free().forEach((resource, amount) -> left.put(resource, amount + ending.get(resource)));
    this.holdings =
        holdings.stream()
            .sorted(
                Comparator.comparingInt(Holding::priority)
                    .thenComparingDouble(holding -> -fair.shareOf(holding.project())))
            .toList();
  }

  /**
   * Chooses.
   *
   * @param ending what will be free soon, because it was chosen before
   * @return how many units each object is to end
   */
  static Map<QuotaObject, Integer> choose(
      FairShares fair, List<Claim> claims, List<Holding> holdings, Amounts ending) {
    Preemption preemption = new Preemption(fair, holdings, ending);
    claims.stream()
        .filter(claim -> claim.scope() == QuotaScope.SERVER && fair.everFits(claim.unit()))
        .sorted(Comparator.comparingInt(claim -> -claim.priority()))
        .forEach(preemption::serve);
    return preemption.ended;
  }

  private void serve(Claim claim) {
    for (int i = 0; i < claim.missing(); i++) {
      List<Holding> taken = new ArrayList<>();
      while (!FairShares.fits(claim.unit(), left)) {
        Holding next = next(claim, taken);
        if (next == null) {
          return; // Without all that it needs, it gets none of it.
        }
        taken.add(next);
        add(next.unit(), 1);
      }
      taken.forEach(each -> ended.merge(each.object(), 1, Integer::sum));
      add(claim.unit(), -1);
    }
  }

  private void add(Amounts unit, int times) {
    left.replaceAll((resource, amount) -> Math.max(0, amount + times * unit.get(resource)));
  }

  private @Nullable Holding next(Claim claim, List<Holding> taken) {
    return holdings.stream()
        .filter(holding -> holding.priority() < claim.priority())
        .filter(holding -> {
          long more = taken.stream().filter(holding::equals).count();
          return ended.getOrDefault(holding.object(), 0) + more < holding.units();
        })
        .filter(holding ->
            left.entrySet().stream()
                .anyMatch(each ->
                    claim.unit().get(each.getKey()) > each.getValue()
                        && holding.unit().get(each.getKey()) > 0))
        .findFirst()
        .orElse(null);
  }
}
