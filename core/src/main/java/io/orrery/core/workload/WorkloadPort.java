package io.orrery.core.workload;

/**
 * A port on which a workload listens.
 *
 * @param name lower-case letters, digits and hyphens; the variable {@code PORT_<NAME>} has the
 *     number that a replica is to listen on
 * @param number the number as written, 1 to 65,535. A process is given another one, so that two
 *     replicas can run on one machine
 */
public record WorkloadPort(String name, int number) {
  /** The largest port number. */
  public static final int MOST = 65_535;

  /**
   * @throws IllegalArgumentException when the number is out of range
   */
  public WorkloadPort {
    if (number < 1 || number > MOST) {
      throw new IllegalArgumentException("a port is 1 to " + MOST + ", not " + number);
    }
  }
}
