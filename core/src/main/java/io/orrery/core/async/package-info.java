/** Compositions of futures that Vert.x does not have. */
@NullMarked
package io.orrery.core.async;

import org.jspecify.annotations.NullMarked;
