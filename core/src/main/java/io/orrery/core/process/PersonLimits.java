package io.orrery.core.process;

import io.orrery.core.quota.QuotaResource;

/**
 * Limits of all programs of one person on the server's machine together.
 *
 * @param tasks processes and threads at once
 * @param memory bytes of main memory; {@link Long#MAX_VALUE} for any number
 */
public record PersonLimits(int tasks, long memory) {
  /** Nothing is limited. */
  public static final PersonLimits NONE = new PersonLimits(Integer.MAX_VALUE, Long.MAX_VALUE);

  public PersonLimits {
    if (tasks < 1 || memory < 1) {
      throw new IllegalArgumentException("less than 1: " + tasks + ", " + memory);
    }
  }

  public boolean isNone() {
    return equals(NONE);
  }

  boolean limitsMemory() {
    return memory != Long.MAX_VALUE;
  }

  /** The sentence about a program that is ended, as the programs of its person have so many. */
  String excessTasks(String person, long all) {
    return "it was ended because the programs of %s had %,d processes and threads, more than the %,d of auth.personProcesses, and it had the most of them"
        .formatted(person, all, tasks);
  }

  /** The same about bytes of memory. */
  String excessMemory(String person, long all) {
    return "it was ended because the programs of %s had %s of memory, more than the %s of auth.personMemory, and it had the most of it"
        .formatted(person, words(all), words(memory));
  }

  /** The sentence about a program that cannot start, as the programs of its person have so many. */
  String fullOfTasks(String person, long all) {
    return "it starts when other programs of %s have ended: they have %,d processes and threads, and auth.personProcesses is %,d"
        .formatted(person, all, tasks);
  }

  /** The same about bytes of memory. */
  String fullOfMemory(String person, long all) {
    return "it starts when other programs of %s have ended: they have %s of memory, and auth.personMemory is %s"
        .formatted(person, words(all), words(memory));
  }

  private static String words(long bytes) {
    return QuotaResource.MEMORY.number(bytes);
  }
}
