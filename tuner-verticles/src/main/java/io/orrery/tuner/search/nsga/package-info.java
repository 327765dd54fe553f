/** Search with several objectives: {@link io.orrery.tuner.search.nsga.NsgaII}. */
@NullMarked
package io.orrery.tuner.search.nsga;

import org.jspecify.annotations.NullMarked;
