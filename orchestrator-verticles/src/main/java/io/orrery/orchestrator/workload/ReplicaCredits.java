package io.orrery.orchestrator.workload;

import io.orrery.core.bus.contract.Workloads.Want;
import io.orrery.core.quota.Amounts;
import io.orrery.core.quota.QuotaResource;
import io.orrery.core.quota.WorkloadCharge;
import io.orrery.orchestrator.quota.UnitCredit;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The quota that the replicas of one workload hold, by their size. While a generation of another
 * size takes over by shares, those of the earlier one stay charged at their own size, until they
 * are gone.
 */
final class ReplicaCredits {
  /** Begins the names of parts of quota objects. */
  private static final String PART = "replicas";

  private final Supplier<@Nullable OwnedWorkload> workload;
  private final Maker maker;
  private final Map<Amounts, UnitCredit> all = new HashMap<>();

  /** The units of the sizes of earlier generations, which get no more. */
  private final Map<Amounts, Integer> earlier = new HashMap<>();

  /** The sizes of the generations that this owner has seen wanted. */
  private final Map<Long, Amounts> sizes = new HashMap<>();

  private Amounts size = Amounts.NONE;

  /** Makes the credit of a size; it is opened by the maker, and charged for what it says. */
  interface Maker {
    UnitCredit make(String part, Amounts size, IntSupplier needed);
  }

  /**
   * @param workload null once it is gone
   */
  ReplicaCredits(Supplier<@Nullable OwnedWorkload> workload, Maker maker) {
    this.workload = workload;
    this.maker = maker;
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

  /** Takes over what replicas of one size held under the owner before. */
  void takeOver(String part, int units) {
    Amounts held = size(part);
    if (held != null && !held.isNone()) {
      earlier.put(held, units);
      make(held);
    }
  }

  private void make(Amounts each) {
    all.put(each, maker.make(part(each), each, () -> needed(each)));
  }

  /** Has it ask for what a workload needs now, and give back what nothing needs any more. */
  void settle(Want want) {
    resize(size(want));
    OwnedWorkload owned = workload.get();
    if (owned == null || owned.earlier().isEmpty()) {
      sizes.clear();
      earlier.keySet().forEach(each -> Objects.requireNonNull(all.remove(each)).close(true, 0));
      earlier.clear();
    }
    sizes.put(want.generation(), size);
    all.values().forEach(UnitCredit::settle);
    if (!size.isNone() && !all.containsKey(size)) {
      make(size);
    }
  }

  private void resize(Amounts next) {
    UnitCredit before = all.get(size);
    if (before != null && !next.equals(size)) {
      earlier.put(size, before.units());
    }
    earlier.remove(next);
    size = next;
  }

  /** How many of the replicas of the present size may run. */
  int allowed(OwnedWorkload owned) {
    UnitCredit credit = all.get(size);
    return credit == null
        ? owned.wanted()
        : Math.min(owned.wanted(), Math.max(0, credit.units() - alike(owned)));
  }

  private int needed(Amounts each) {
    OwnedWorkload owned = workload.get();
    if (owned == null) {
      return 0;
    }
    Integer left = earlier.get(each);
    if (left != null) {
      return earlier(each, left, owned);
    }
    UnitCredit credit = all.get(each);
    int present = owned.present() - others(owned);
    int kept = credit == null ? present : Math.min(present, credit.units());
    return Math.max(owned.wanted() + alike(owned), kept);
  }

  /** The replicas of earlier generations that are charged at a size of their own. */
  private int others(OwnedWorkload owned) {
    int units =
        earlier.entrySet().stream()
            .mapToInt(each -> earlier(each.getKey(), each.getValue(), owned))
            .sum();
    return Math.min(units, owned.earlier().size());
  }

  /** The replicas of an earlier size; those of unknown generations may be of any that was held. */
  private int earlier(Amounts each, int held, OwnedWorkload owned) {
    long alike =
        owned.earlier().stream()
            .filter(generation -> each.equals(sizes.getOrDefault(generation, each)))
            .count();
    return (int) Math.min(held, alike);
  }

  /** The replicas of earlier generations that are charged at the present size. */
  private int alike(OwnedWorkload owned) {
    return owned.earlier().size() - others(owned);
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
