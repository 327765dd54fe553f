/**
 * The retention of metric points. {@link io.orrery.metrics.retention.Retention} asks which
 * experiments have set a time, and has the log thin out what is older. What is thinned out, and
 * how, the log knows.
 */
@NullMarked
package io.orrery.metrics.retention;

import org.jspecify.annotations.NullMarked;
