/**
 * Problems with learning curves: {@link io.orrery.benchmarks.search.curve.MultiFidelity} lets
 * tuners spend epochs as they like, {@link io.orrery.benchmarks.search.curve.UntilGood} until they
 * are near the best, {@link io.orrery.benchmarks.search.curve.EarlyStop} lets rules stop what
 * comes; {@link io.orrery.benchmarks.search.curve.CurveReport} shows what came of it beside the
 * peers' figures.
 */
@NullMarked
package io.orrery.benchmarks.search.curve;

import org.jspecify.annotations.NullMarked;
