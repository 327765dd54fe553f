package io.orrery.core.workload;

/**
 * A port of a workload that is reached by an address and a number, and not by a host name.
 *
 * @param name of the {@link WorkloadPort}
 * @param number under which it is reached, 1,024 to 65,535
 */
public record ExposedPort(String name, int number) {}
