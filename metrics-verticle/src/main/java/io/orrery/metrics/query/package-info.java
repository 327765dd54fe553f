/**
 * Points on their way out. {@link io.orrery.metrics.query.Queries} answers with what a chart can
 * show, never with more points than were asked for. It only reads.
 */
@NullMarked
package io.orrery.metrics.query;

import org.jspecify.annotations.NullMarked;
