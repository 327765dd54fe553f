/**
 * The parts of the edge that its features share. A package with several groups of routes lists them
 * in one {@code …Feature}, which is given {@link io.orrery.gateway.feature.EdgeParts}; {@code Edge}
 * names the feature and none of its groups. It knows no feature.
 */
@NullMarked
package io.orrery.gateway.feature;

import org.jspecify.annotations.NullMarked;
