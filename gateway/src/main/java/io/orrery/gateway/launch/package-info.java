/**
 * The process: {@link io.orrery.gateway.launch.Main} is its one entry point, {@link
 * io.orrery.gateway.launch.Server} starts and stops its parts in order, and {@link
 * io.orrery.gateway.launch.Wiring} is the only place that makes verticles.
 */
@NullMarked
package io.orrery.gateway.launch;

import org.jspecify.annotations.NullMarked;
