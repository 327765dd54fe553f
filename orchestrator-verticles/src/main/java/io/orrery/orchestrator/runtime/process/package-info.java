/**
 * The runtime of workloads that are processes of this machine, with nothing installed. {@link
 * io.orrery.orchestrator.runtime.process.ProcessRuntime} is the door; each replica has a {@code
 * ReplicaKeeper}, which works only when there is something to do. {@code ReplicaModel} decides, and
 * knows no files and no Vert.x. Linux only.
 */
@NullMarked
package io.orrery.orchestrator.runtime.process;

import org.jspecify.annotations.NullMarked;
