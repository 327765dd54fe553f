package io.orrery.orchestrator.workload;

import io.orrery.core.bus.contract.Workloads.Want;
import io.orrery.core.quota.Amounts;
import io.orrery.core.quota.QuotaResource;
import io.orrery.core.quota.WorkloadCharge;
import io.orrery.core.workload.Upgrade;
import io.orrery.orchestrator.quota.UnitCredit;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The quota that the replicas of one workload hold, by their size. Where a generation of another
 * size took over by shares, those of the earlier one stay charged at their own size, until they are
 * gone. A generation that replaces another at once gets the quota of that one.
 */
final class ReplicaCredits {
  /** Begins the names of parts of quota objects. */
  private static final String PART = "replicas";

  private final Supplier<@Nullable OwnedWorkload> workload;
  private final Maker maker;
  private final Runnable changed;
  private final Map<Amounts, UnitCredit> all = new HashMap<>();
  private final Map<Amounts, String> reasons = new HashMap<>();

  /** The units of the sizes of earlier generations, which get no more. */
  private final Map<Amounts, Integer> earlier = new HashMap<>();

  /** The sizes of the generations that this owner has seen wanted. */
  private final Map<Long, Amounts> sizes = new HashMap<>();

  private Amounts size;

  /** Makes the credit of a size. */
  interface Maker {
    /**
     * @param told the reason when there are fewer units than needed
     * @return one that is not open yet
     */
    UnitCredit make(String part, Amounts size, IntSupplier needed, Consumer<@Nullable String> told);

    void open(UnitCredit credit);
  }

  /**
   * @param want of the workload
   * @param workload null once it is gone
   * @param changed told after each answer
   */
  ReplicaCredits(
      Want want, Supplier<@Nullable OwnedWorkload> workload, Maker maker, Runnable changed) {
    this.size = size(want);
    this.workload = workload;
    this.maker = maker;
    this.changed = changed;
  }

  /** The resources of one replica. */
  static Amounts size(Want want) {
    return WorkloadCharge.ofReplica(want.spec());
  }

  /** The part of a quota object for the replicas of one size, so that another is asked for anew. */
  static String part(Amounts size) {
    return "%s-%d-%d-%d"
        .formatted(
            PART,
            size.get(QuotaResource.CPU),
            size.get(QuotaResource.MEMORY),
            size.get(QuotaResource.GPU));
  }

  /** The size that a part is for; null for another part. */
  private static @Nullable Amounts size(String part) {
    String[] words = part.split("-", -1);
    if (words.length != 4 || !words[0].equals(PART)) {
      return null;
    }
    try {
      Map<QuotaResource, Long> size = new EnumMap<>(QuotaResource.class);
      size.put(QuotaResource.CPU, Long.parseLong(words[1]));
      size.put(QuotaResource.MEMORY, Long.parseLong(words[2]));
      size.put(QuotaResource.GPU, Long.parseLong(words[3]));
      return new Amounts(size);
    } catch (NumberFormatException e) {
      return null;
    }
  }

  /**
   * Takes over what replicas held under the owner before.
   *
   * @param units by part
   * @param divided whether an earlier generation is kept; else what it held is given back
   */
  void takeOver(Map<String, Integer> units, boolean divided) {
    units.forEach((part, held) -> {
      Amounts each = size(part);
      if (each != null && !each.isNone() && !each.equals(size)) {
        earlier.put(each, held);
        make(each);
        if (!divided) {
          drop(each);
        }
      }
    });
  }

  private void make(Amounts each) {
    UnitCredit credit =
        maker.make(
            part(each),
            each,
            () -> needed(each),
            why -> {
              if (why == null) {
                reasons.remove(each);
              } else {
                reasons.put(each, why);
              }
              changed.run();
            });
    all.put(each, credit);
    maker.open(credit);
  }

  /** Has it ask for what a workload needs now, and give back what nothing needs any more. */
  void settle(Want want) {
    resize(want);
    OwnedWorkload owned = workload.get();
    if (owned == null || owned.otherGenerations().isEmpty()) {
      List.copyOf(earlier.keySet()).forEach(this::drop);
      sizes.clear();
    }
    sizes.put(want.generation(), size);
    all.values().forEach(UnitCredit::settle);
    if (!size.isNone() && !all.containsKey(size)) {
      make(size);
    }
  }

  private void resize(Want want) {
    Amounts before = size;
    size = size(want);
    earlier.remove(size);
    UnitCredit credit = all.get(before);
    if (credit != null && !before.equals(size)) {
      earlier.put(before, credit.units());
      Upgrade upgrade = want.upgrade();
      if (upgrade == null || upgrade.percent() == null) {
        drop(before);
      }
    }
  }

  private void drop(Amounts each) {
    earlier.remove(each);
    reasons.remove(each);
    Objects.requireNonNull(all.remove(each)).close(true, 0);
  }

  /** How many of the replicas of the present size may run. */
  int allowed(OwnedWorkload owned) {
    UnitCredit credit = all.get(size);
    return credit == null
        ? owned.wanted()
        : Math.min(owned.wanted(), Math.max(0, credit.units() - alike(owned)));
  }

  /** The reason why fewer replicas of the present size may run than are wanted; null for none. */
  @Nullable String reason() {
    return reasons.get(size);
  }

  private int needed(Amounts each) {
    OwnedWorkload owned = workload.get();
    if (owned == null) {
      return 0;
    }
    if (!each.equals(size)) {
      return earlier(each, owned);
    }
    UnitCredit credit = all.get(each);
    int others = earlier.keySet().stream().mapToInt(other -> earlier(other, owned)).sum();
    int kept = credit == null ? 0 : Math.min(owned.present() - others, credit.units());
    return Math.max(owned.wanted() + alike(owned), kept);
  }

  /** The replicas of an earlier size; those of unknown generations may be of any that was held. */
  private int earlier(Amounts each, OwnedWorkload owned) {
    return Math.min(earlier.getOrDefault(each, 0), count(owned.otherGenerations(), each, each));
  }

  /** The replicas of earlier generations that are kept, and are charged at the present size. */
  private int alike(OwnedWorkload owned) {
    List<Long> kept = owned.earlier();
    int unknown =
        earlier.keySet().stream()
            .mapToInt(each -> earlier(each, owned) - count(kept, each, Amounts.NONE))
            .filter(more -> more > 0)
            .sum();
    return Math.max(0, count(kept, size, size) - unknown);
  }

  /** The number of generations of a size, where those that are not known are of another one. */
  private int count(List<Long> generations, Amounts each, Amounts unknown) {
    return Math.toIntExact(
        generations.stream()
            .filter(generation -> each.equals(sizes.getOrDefault(generation, unknown)))
            .count());
  }

  /**
   * Stops.
   *
   * @param held whether what is held is given back; else it stays for the next owner
   */
  void close(boolean held) {
    all.values().forEach(credit -> credit.close(held, 0));
    all.clear();
    earlier.clear();
  }
}
