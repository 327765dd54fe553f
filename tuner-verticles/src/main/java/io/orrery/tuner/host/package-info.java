/**
 * The host of tuners and assessors: {@link io.orrery.tuner.host.TunerVerticle} answers the {@code
 * tuners.*} addresses, {@link io.orrery.tuner.host.Catalog} knows the algorithms, {@code
 * Supervisor} keeps each of them alive, and {@code AlgorithmThreads} lets it think. The only
 * package of the module that knows Vert.x. It keeps nothing durable, never lets an algorithm run on
 * an event loop, and never waits for one in silence.
 */
@NullMarked
package io.orrery.tuner.host;

import org.jspecify.annotations.NullMarked;
