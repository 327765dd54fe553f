package io.orrery.core.process;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;

/**
 * A count of what the programs of each person use of the server's machine: each supervisor of a
 * program says now and then what it uses. When those of one person have more than they may, the one
 * that has the most is ended, of equal ones the newest; the others go on, and so do those of all
 * other people. Thread safe.
 */
public final class PersonPrograms {
  /** No person has a limit. */
  public static final PersonPrograms UNLIMITED = new PersonPrograms(PersonLimits.NONE);

  /** The age of a report from which it counts no more: another server may supervise it now. */
  private static final Duration FORGOTTEN = Duration.ofMinutes(2);

  private final PersonLimits limits;
  private final Map<String, List<Program>> byPerson = new HashMap<>();

  public PersonPrograms(PersonLimits limits) {
    this.limits = limits;
  }

  /** Whether people have limits. */
  public boolean isOn() {
    return !limits.isNone();
  }

  /**
   * Counts a program that starts, or that was found.
   *
   * @param person empty when it belongs to no person: it has no limit then
   */
  public synchronized Program open(String person, Instant now) {
    Program program = new Program(person, now);
    if (program.counts) {
      byPerson.computeIfAbsent(person, first -> new ArrayList<>()).add(program);
    }
    return program;
  }

  /** The reason why a further program of a person has to wait; empty when it may start. */
  public synchronized String full(String person, Instant now) {
    List<Program> all = present(person, now);
    long tasks = sum(all, each -> each.tasks);
    if (tasks >= limits.tasks()) {
      return limits.fullOfTasks(person, tasks);
    }
    long memory = sum(all, each -> each.memory);
    return memory >= limits.memory() && areExact(all) ? limits.fullOfMemory(person, memory) : "";
  }

  /** The programs of a person that are not being ended. */
  private List<Program> present(String person, Instant now) {
    List<Program> all = byPerson.getOrDefault(person, List.of());
    Instant oldest = now.minus(FORGOTTEN);
    all.stream().filter(each -> each.seen.isBefore(oldest)).toList().forEach(this::remove);
    return all.stream().filter(each -> !each.ended).toList();
  }

  private void remove(Program program) {
    byPerson.computeIfPresent(
        program.person,
        (person, all) -> {
          all.remove(program);
          return all.isEmpty() ? null : all;
        });
  }

  private static long sum(List<Program> all, ToLongFunction<Program> use) {
    return all.stream().mapToLong(use).sum();
  }

  private static boolean areExact(List<Program> all) {
    return all.stream().allMatch(each -> each.isExact);
  }

  /** Whether so much memory of a program may be too much, so that it has to be measured exactly. */
  private synchronized boolean isMuch(Program program, Instant now, long memory) {
    List<Program> others =
        present(program.person, now).stream().filter(each -> each != program).toList();
    return sum(others, each -> each.memory) + memory >= limits.memory();
  }

  /** Notes the use of a program; the reason why it is to be ended, empty when it may go on. */
  private synchronized String note(
      Program program, Instant now, long tasks, long memory, boolean exact) {
    if (program.closed) {
      return "";
    }
    program.note(now, tasks, memory, exact);
    List<Program> all = byPerson.computeIfAbsent(program.person, first -> new ArrayList<>());
    if (!all.contains(program)) {
      // It was taken as forgotten.
      all.add(program);
    }
    return excess(program, present(program.person, now));
  }

  private String excess(Program program, List<Program> all) {
    long tasks = sum(all, each -> each.tasks);
    if (tasks > limits.tasks() && program == most(all, each -> each.tasks)) {
      program.ended = true;
      return limits.excessTasks(program.person, tasks);
    }
    long memory = sum(all, each -> each.memory);
    if (memory > limits.memory() && areExact(all) && program == most(all, each -> each.memory)) {
      program.ended = true;
      return limits.excessMemory(program.person, memory);
    }
    return "";
  }

  private static Program most(List<Program> all, ToLongFunction<Program> use) {
    // The list is in the order in which they came: the last of equal ones is the newest.
    return all.stream()
        .reduce((one, next) -> use.applyAsLong(next) >= use.applyAsLong(one) ? next : one)
        .orElseThrow();
  }

  /** A program that counts until it is closed. */
  public final class Program implements AutoCloseable {
    private final String person;
    private final boolean counts;
    private Instant seen;
    private long tasks = 1;
    private long memory;
    private boolean isExact = true;
    private boolean ended;
    private boolean closed;

    private Program(String person, Instant now) {
      this.person = person;
      this.counts = isOn() && !person.isEmpty();
      this.seen = now;
    }

    private void note(Instant now, long hasTasks, long hasMemory, boolean exact) {
      seen = now;
      tasks = hasTasks;
      memory = hasMemory;
      isExact = exact;
    }

    /**
     * Says what it uses.
     *
     * @param resident measures its memory quickly; pages that its processes share may count for
     *     each
     * @param exact measures it so that they count once; asked when the person has too much
     * @return the reason why it is to be ended at once; empty when it may go on
     */
    public String uses(Instant now, long hasTasks, LongSupplier resident, LongSupplier exact) {
      if (!counts) {
        return "";
      }
      if (!limits.limitsMemory()) {
        return PersonPrograms.this.note(this, now, hasTasks, 0, true);
      }
      long quick = resident.getAsLong();
      boolean much = isMuch(this, now, quick);
      return PersonPrograms.this.note(this, now, hasTasks, much ? exact.getAsLong() : quick, much);
    }

    /** It is over. */
    @Override
    public void close() {
      synchronized (PersonPrograms.this) {
        closed = true;
        remove(this);
      }
    }
  }
}
