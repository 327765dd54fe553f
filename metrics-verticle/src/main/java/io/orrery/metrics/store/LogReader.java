package io.orrery.metrics.store;

import io.orrery.core.metric.MetricPoint;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;

/** Reads the kept segments of the log from a cursor on; blocks. */
final class LogReader {
  private LogReader() {}

  /**
   * @param end the durable end of the log
   */
  static MetricLog.Page read(Segments log, long cursor, long end, int maxPoints)
      throws IOException {
    List<MetricPoint> points = new ArrayList<>();
    List<Long> segments = log.all();
    long first = Math.max(cursor, segments.isEmpty() ? 0 : segments.getFirst());
    long next = first;
    for (int i = 0; i < segments.size() && next < end && points.size() < maxPoints; i++) {
      boolean passed = i + 1 < segments.size() && segments.get(i + 1) <= next;
      if (!passed) {
        try (Segments.Reader frames = log.read(segments.get(i), next)) {
          while (frames.offset() < end && points.size() < maxPoints) {
            byte[] body = frames.next();
            if (body == null) {
              frames.checkEnd(false);
              break;
            }
            decode(body, points);
          }
          next = frames.offset();
        } catch (NoSuchFileException e) {
          // It was moved and deleted between the listing and now: what is kept begins later.
          return read(log, cursor, end, maxPoints);
        }
      }
    }
    return new MetricLog.Page(points, first, next);
  }

  private static void decode(byte[] body, List<MetricPoint> points) {
    for (FrameEntry entry : FrameEntry.in(body)) {
      switch (entry) {
        case FrameEntry.Block(var attempt, int from, int to) ->
            new Decoder(body, from, to).points(attempt, points::add);
        case FrameEntry.Forget(var experiment) -> {}
      }
    }
  }
}
