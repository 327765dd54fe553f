/** The default tuner, for users who do not choose one: {@link io.orrery.tuner.search.auto.Auto}. */
@NullMarked
package io.orrery.tuner.search.auto;

import org.jspecify.annotations.NullMarked;
