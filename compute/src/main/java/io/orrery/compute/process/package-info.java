/**
 * Programs of this machine that outlive the server: how they are started, found again, signalled
 * and ended. Linux only: it reads {@code /proc}. It knows nothing of trials and workloads, and
 * never signals a process that it has not recognised by its mark or its session.
 */
@NullMarked
package io.orrery.compute.process;

import org.jspecify.annotations.NullMarked;
