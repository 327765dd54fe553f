/**
 * The benchmark of the page's requests: lists, tables and charts of experiments with very many
 * trials.
 */
@NullMarked
package io.orrery.benchmarks.pages;

import org.jspecify.annotations.NullMarked;
