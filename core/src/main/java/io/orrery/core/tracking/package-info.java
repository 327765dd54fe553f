/** The vocabulary of runs that tracking clients log: points of metrics, filters and orders. */
@NullMarked
package io.orrery.core.tracking;

import org.jspecify.annotations.NullMarked;
