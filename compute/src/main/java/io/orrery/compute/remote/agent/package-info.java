/**
 * The wire between a server and its agent on a machine: one long process there, which starts and
 * ends attempts without a shell for each, and carries the calls of their keepers. Both ends speak
 * frames over one SSH channel; the other end is the Python package {@code orrery_keeper.agent},
 * which documents them. Nothing here knows of SSH or of attempts.
 *
 * <p>{@link io.orrery.compute.remote.agent.AgentLink} is the wire, {@link
 * io.orrery.compute.remote.agent.KeeperCalls} answers what comes over it.
 */
@NullMarked
package io.orrery.compute.remote.agent;

import org.jspecify.annotations.NullMarked;
