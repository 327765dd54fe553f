package io.orrery.orchestrator.quota;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.contract.Quotas.Hold;
import io.orrery.core.bus.contract.Quotas.HoldAnswer;
import io.orrery.core.bus.contract.Quotas.UnitClaim;
import io.orrery.core.quota.Amounts;
import io.orrery.core.quota.QuotaObject;
import io.orrery.core.quota.QuotaScope;
import io.orrery.core.time.Clock;
import io.orrery.orchestrator.quota.FairShares.Claim;
import io.orrery.orchestrator.quota.QuotaVerticle.Ask;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The objects of a process that wait for units, in the order in which they came. */
final class QuotaQueue {
  /** So many of those that wait are told their place. */
  static final int PLACES = 20;

  private static final String FAR = "; more than " + PLACES + " are before it in the queue";

  private final Clock clock;
  private final Map<QuotaObject, Entry> entries = new LinkedHashMap<>();
  private final Map<ProjectName, Instant> served = new HashMap<>();
  private int waitingForServer;

  QuotaQueue(Clock clock) {
    this.clock = clock;
  }

  /** An object that waits. */
  static final class Entry {
    Ask ask;
    int units;
    QuotaScope scope;

    /** What it waits for, without its place. */
    String reason;

    String told = "";

    private final Instant came;

    private Entry(Ask ask, HoldAnswer held, Instant came) {
      this.came = came;
      this.ask = ask;
      this.scope = held.scope();
      this.reason = String.valueOf(held.reason());
      this.units = held.units();
    }

    Hold hold() {
      return ask.hold();
    }

    int missing() {
      return ask.wanted() - units;
    }

    HoldAnswer answer() {
      return new HoldAnswer(units, told, scope);
    }
  }

  /** The size of a request: when one of its kind does not fit, no other does. */
  private record Size(Amounts unit, @Nullable ProjectName project, @Nullable String user) {}

  /** The sizes that do not fit now. */
  static final class Full {
    private final Set<Size> sizes = new HashSet<>();

    void add(Hold hold, QuotaScope scope) {
      sizes.add(
          switch (scope) {
            case SERVER -> new Size(hold.unit(), null, null);
            case PROJECT -> new Size(hold.unit(), hold.project(), null);
            case MEMBER -> new Size(hold.unit(), hold.project(), hold.user());
          });
    }

    boolean has(Hold hold) {
      return !sizes.isEmpty()
          && (sizes.contains(new Size(hold.unit(), null, null))
              || sizes.contains(new Size(hold.unit(), hold.project(), null))
              || sizes.contains(new Size(hold.unit(), hold.project(), hold.user())));
    }
  }

  boolean isEmpty() {
    return entries.isEmpty();
  }

  @Nullable Entry find(QuotaObject object) {
    return entries.get(object);
  }

  /** How many units the owner that asks holds and still waits for more, as noted here. */
  int units(Ask ask) {
    Entry entry = entries.get(ask.hold().object());
    return entry != null && entry.ask.listener().equals(ask.listener()) ? entry.units : 0;
  }

  /** Notes what an object holds; it waits if that is less than it wants, where it waited before. */
  @Nullable Entry note(Ask ask, HoldAnswer held) {
    QuotaObject object = ask.hold().object();
    Entry entry = entries.get(object);
    if (held.units() > (entry == null ? ask.held() : entry.units)) {
      served.put(ask.hold().project(), clock.now());
    }
    if (held.units() >= ask.wanted()) {
      remove(object);
      return null;
    }
    if (entry == null) {
      entry = new Entry(ask, held, clock.now());
      entry.told =
          entry.reason + (entries.size() >= PLACES && ask.priority() <= Ask.NORMAL ? FAR : "");
      entries.put(object, entry);
      count(entry, 1);
    } else {
      entry.ask = ask;
      entry.units = held.units();
      if (held.reason() != null) {
        count(entry, -1);
        entry.scope = held.scope();
        entry.reason = held.reason();
        count(entry, 1);
      }
    }
    return entry;
  }

  void remove(QuotaObject object) {
    Entry removed = entries.remove(object);
    if (removed != null) {
      count(removed, -1);
    }
  }

  private void count(Entry entry, int by) {
    waitingForServer += entry.scope == QuotaScope.SERVER ? by : 0;
  }

  boolean waitsForServer() {
    return waitingForServer > 0;
  }

  /** Whether something that is given back in a project may be of use to one that waits. */
  boolean concerns(ProjectName project) {
    return waitsForServer()
        || entries.values().stream().anyMatch(entry -> entry.hold().project().equals(project));
  }

  /** The claims of those that may be served after something was given back in some projects. */
  List<Claim> claims(Collection<ProjectName> touched, Full full) {
    return entries.values().stream()
        .filter(
            entry -> entry.scope == QuotaScope.SERVER || touched.contains(entry.hold().project()))
        .filter(entry -> !full.has(entry.hold()))
        .map(this::claim)
        .toList();
  }

  private Claim claim(Entry entry) {
    Hold hold = entry.hold();
    return new Claim(
        hold.object(),
        hold.project(),
        entry.ask.priority(),
        hold.unit(),
        entry.missing(),
        entry.scope,
        since(entry));
  }

  private Instant since(Entry entry) {
    return served.getOrDefault(entry.hold().project(), entry.came);
  }

  Set<ProjectName> projects() {
    Set<ProjectName> projects = new HashSet<>();
    entries.values().forEach(entry -> projects.add(entry.hold().project()));
    return projects;
  }

  /** All claims, as other servers are told them. */
  List<UnitClaim> sums() {
    record Kind(ProjectName project, int priority, Amounts unit, QuotaScope scope) {}

    served.keySet().retainAll(projects());
    Map<Kind, UnitClaim> sums = new LinkedHashMap<>();
    for (Entry entry : entries.values()) {
      Hold hold = entry.hold();
      int priority = entry.ask.priority();
      sums.merge(
          new Kind(hold.project(), priority, hold.unit(), entry.scope),
          new UnitClaim(
              hold.project(), priority, hold.unit(), entry.missing(), entry.scope, since(entry)),
          (one, other) ->
              new UnitClaim(
                  one.project(),
                  one.priority(),
                  one.unit(),
                  one.missing() + other.missing(),
                  one.scope(),
                  one.since()));
    }
    return List.copyOf(sums.values());
  }

  /**
   * Finds the places of those that are next, and answers with those that are to be told another
   * reason than before.
   *
   * @param server the objects that are next for what all projects share
   */
  List<Entry> places(List<@Nullable QuotaObject> server) {
    Map<Entry, Integer> places = new LinkedHashMap<>();
    for (int i = 0; i < server.size(); i++) {
      QuotaObject object = server.get(i);
      Entry entry = object == null ? null : entries.get(object);
      if (entry != null && entry.scope == QuotaScope.SERVER) {
        places.put(entry, i + 1);
      }
    }
    Map<ProjectName, List<Entry>> byProject = new LinkedHashMap<>();
    for (Entry entry : entries.values()) {
      if (entry.scope != QuotaScope.SERVER) {
        byProject.computeIfAbsent(entry.hold().project(), added -> new ArrayList<>()).add(entry);
      }
    }
    for (List<Entry> all : byProject.values()) {
      all.sort(Comparator.comparingInt(entry -> -entry.ask.priority()));
      for (int i = 0; i < Math.min(PLACES, all.size()); i++) {
        places.put(all.get(i), i + 1);
      }
    }
    return entries.values().stream()
        .filter(entry -> {
          Integer place = places.get(entry);
          if (place == null && entry.told.endsWith(FAR)) {
            return false;
          }
          String text =
              entry.reason + (place == null ? FAR : "; place %d in the queue".formatted(place));
          boolean changed = !text.equals(entry.told);
          entry.told = text;
          return changed;
        })
        .toList();
  }

  List<Entry> all() {
    return List.copyOf(entries.values());
  }
}
