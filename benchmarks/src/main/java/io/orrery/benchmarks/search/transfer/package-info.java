/**
 * The measurement of what a search gains from earlier ones: families of related and of unrelated
 * problems, and after how many evaluations a search that knows the earlier ones is where one
 * without them is after fifty.
 */
@NullMarked
package io.orrery.benchmarks.search.transfer;

import org.jspecify.annotations.NullMarked;
