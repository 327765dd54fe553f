package io.orrery.studio.scale;

import java.time.LocalTime;
import java.util.List;

/**
 * The rules by which the number of replicas follows what a service has to do.
 *
 * @param least the smallest number; 0 when the service rests without requests
 * @param most the largest number
 * @param targets the largest number that one of them wants is taken; may be empty
 * @param timetable the number by the hour, in place of the targets; may be empty
 */
public record ScalePolicy(int least, int most, List<Target> targets, List<Hours> timetable) {
  public ScalePolicy {
    targets = List.copyOf(targets);
    timetable = List.copyOf(timetable);
  }

  /** A measure of work. */
  public enum Measure {
    /** Answers each second. */
    RPS,
    /** Requests under way, waiting ones included. */
    CONCURRENCY
  }

  /**
   * The work that one replica is to have.
   *
   * @param each more than 0
   */
  public record Target(Measure measure, double each) {}

  /**
   * A time of the day with its number of replicas.
   *
   * @param from included
   * @param until excluded; up to {@code from} when it is the next day
   */
  public record Hours(LocalTime from, LocalTime until, int replicas) {
    boolean has(LocalTime time) {
      return from.isBefore(until)
          ? !time.isBefore(from) && time.isBefore(until)
          : !time.isBefore(from) || time.isBefore(until);
    }
  }
}
