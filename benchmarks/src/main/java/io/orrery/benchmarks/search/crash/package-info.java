/**
 * The measurement of searches in which trials fail: regrets of problems of which a region crashes,
 * and of problems whose trials crash by chance.
 */
@NullMarked
package io.orrery.benchmarks.search.crash;

import org.jspecify.annotations.NullMarked;
