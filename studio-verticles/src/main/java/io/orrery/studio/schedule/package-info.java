/**
 * Schedules of pipelines: when something is due, and which due runs may start. Nothing here knows
 * what a pipeline is, and only the tables touch the store.
 */
@NullMarked
package io.orrery.studio.schedule;

import org.jspecify.annotations.NullMarked;
