/**
 * The Prometheus metrics of the server. {@link io.orrery.metrics.prometheus.Meters} holds every
 * meter of the product: names begin with {@code orrery_}, units are seconds and bytes, and a label
 * is one of a few words, never the name of an experiment or a trial.
 */
@NullMarked
package io.orrery.metrics.prometheus;

import org.jspecify.annotations.NullMarked;
