/**
 * The reports of a trial: points of a series, and the value that the search looks at. A value that
 * is not a number is kept as it came.
 */
@NullMarked
package io.orrery.core.metric;

import org.jspecify.annotations.NullMarked;
