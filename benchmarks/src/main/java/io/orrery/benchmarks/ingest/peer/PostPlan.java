package io.orrery.benchmarks.ingest.peer;

/**
 * The posts of a connection.
 *
 * @param path where to
 * @param form how each point is written
 * @param first the number of its first point; those that follow have as many digits
 */
public record PostPlan(String path, Form form, long first) {}
