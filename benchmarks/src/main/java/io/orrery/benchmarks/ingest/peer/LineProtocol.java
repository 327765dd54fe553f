package io.orrery.benchmarks.ingest.peer;

import java.time.Instant;

/** InfluxDB's line protocol: each connection a series, its points a millisecond apart. */
final class LineProtocol {
  static final String DATABASE = "points";
  static final String MEASUREMENT = "reported";

  private LineProtocol() {}

  static PostPlan post(String trial, String source, Instant first) {
    String series = MEASUREMENT + ",trial=" + trial + ",source=" + source + " value=";
    return new PostPlan(
        "/write?db=" + DATABASE + "&precision=ms",
        (index, value) -> series + value + ' ' + Form.NUMBER + '\n',
        first.toEpochMilli());
  }
}
