/** One form for all results: a table for people, JSON lines for programs. */
@NullMarked
package io.orrery.benchmarks.report;

import org.jspecify.annotations.NullMarked;
