/**
 * Trials as processes of this machine. Each attempt runs in its own session under a small shell
 * wrapper and outlives the server; {@link io.orrery.compute.local.LocalServiceFactory} opens the
 * service that launches, watches and ends them. Linux only: it reads {@code /proc}. It never runs a
 * trial from a copy of the code directory, and never signals a process that it has not recognised
 * as its own.
 */
@NullMarked
package io.orrery.compute.local;

import org.jspecify.annotations.NullMarked;
