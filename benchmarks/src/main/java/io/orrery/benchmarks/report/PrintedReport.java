package io.orrery.benchmarks.report;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A result of a benchmark: a table to read, and lines for {@code --out}. */
public interface PrintedReport {
  /** The tables as text. */
  String text();

  /** One object for each row of the file. */
  List<Map<String, @Nullable Object>> lines();
}
