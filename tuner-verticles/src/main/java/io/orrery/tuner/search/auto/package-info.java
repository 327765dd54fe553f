/**
 * The default tuner, for whoever does not want to choose: {@link io.orrery.tuner.search.auto.Auto}.
 */
@NullMarked
package io.orrery.tuner.search.auto;

import org.jspecify.annotations.NullMarked;
