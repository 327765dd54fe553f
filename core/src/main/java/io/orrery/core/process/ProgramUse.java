package io.orrery.core.process;

import java.time.Duration;

/**
 * A measurement of a program that is over, with all of its processes. It was looked at now and
 * then, so what it did between the last look and its end is not in it.
 *
 * @param memory the most bytes; pages that several of its processes share count for each
 * @param cpu the time of all processors together
 */
public record ProgramUse(long memory, Duration cpu) {}
