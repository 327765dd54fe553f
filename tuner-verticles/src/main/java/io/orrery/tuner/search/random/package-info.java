/**
 * Random search: {@link io.orrery.tuner.search.random.RandomSearch}. It never looks at a result.
 */
@NullMarked
package io.orrery.tuner.search.random;

import org.jspecify.annotations.NullMarked;
