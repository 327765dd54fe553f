package io.orrery.cli.exchange;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A run as trackers of experiments have it.
 *
 * @param id that no other run of the same origin has
 * @param status RUNNING, FINISHED, FAILED or KILLED
 * @param artifacts a directory of files; null when there is none
 */
record ForeignRun(
    String id,
    String name,
    String status,
    Instant started,
    @Nullable Instant ended,
    Map<String, String> params,
    Map<String, String> tags,
    List<Point> points,
    @Nullable Path artifacts) {
  static final String FINISHED = "FINISHED";

  /** A value of a metric. */
  record Point(String key, double value, long step, Instant time) {}
}
