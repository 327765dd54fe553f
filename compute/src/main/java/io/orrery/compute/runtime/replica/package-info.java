/**
 * The part that the runtimes of one machine share: they start, probe, restart and end programs
 * themselves, whatever those are. {@link io.orrery.compute.runtime.replica.ReplicaRuntime} is the
 * door, and a {@code ReplicaMachine} runs the programs; each replica has a {@code ReplicaKeeper},
 * which works only when there is something to do. {@code ReplicaModel} decides, and knows no files
 * and no Vert.x. Knows neither processes nor containers.
 */
@NullMarked
package io.orrery.compute.runtime.replica;

import org.jspecify.annotations.NullMarked;
