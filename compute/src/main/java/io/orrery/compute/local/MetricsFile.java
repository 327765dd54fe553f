package io.orrery.compute.local;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.json.Json;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.time.Clock;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * NNI's metrics file: records of {@code ME}, six digits that give the length of what follows, one
 * line of JSON, a newline.
 *
 * <p>The file is written by code that may be killed in the midst of a write, or be several
 * processes writing into each other. The rule is: from left to right, {@code ME} and six digits
 * begin a record if as many bytes as they say follow, and these are a JSON object and a newline;
 * else the search goes on behind the {@code ME}. This depends on the file alone, not on how it was
 * cut into chunks, so a second reader finds the same records and counts them alike. A length that
 * is wrong costs its own record and no other. While the bytes of a record are not all there, the
 * reader waits, but no longer than until it sees the next record begin on a new line: no JSON has a
 * bare newline followed by {@code ME} in it.
 */
final class MetricsFile implements FileTailReader.Decoder {
  /** {@link MetricPoint#source} of what this file says. */
  static final String SOURCE = "file";

  private static final int HEADER = 8;

  private final AttemptRef attempt;
  private final Clock clock;
  private long ordinal;
  private final SetRequests requests = new SetRequests();
  private long skippedBytes;
  private long skippedRecords;

  MetricsFile(AttemptRef attempt, Clock clock) {
    this.attempt = attempt;
    this.clock = clock;
  }

  /** The lines that had to be passed over, in words; null for none. */
  @Nullable String complaint() {
    if (skippedBytes == 0 && skippedRecords == 0) {
      return null;
    }
    return "in .nni/metrics %d bytes were no record, and %d records no metric"
        .formatted(skippedBytes, skippedRecords);
  }

  /** The highest parameter set that was asked for, 0 for none. */
  int asked() {
    return requests.highest();
  }

  @Override
  public int decode(byte[] bytes, int length, boolean atEnd, List<MetricPoint> into) {
    long now = clock.millis();
    int at = 0;
    while (at < length) {
      int start = nextHeader(bytes, at, length);
      skippedBytes += start - at;
      at = start;
      if (length - at < HEADER) {
        break;
      }
      int end = at + HEADER + bodyLength(bytes, at);
      boolean broken = another(bytes, at + HEADER, Math.min(end, length));
      if (end > length && !broken && !atEnd) {
        break;
      }
      JsonNode record = broken || end > length ? null : record(bytes, at + HEADER, end);
      if (record != null) {
        take(record, now, into);
        at = end;
      } else {
        skippedBytes += 2;
        at += 2;
      }
    }
    if (atEnd) {
      skippedBytes += length - at;
      at = length;
    }
    return at;
  }

  private void take(JsonNode record, long now, List<MetricPoint> into) {
    long index = ordinal++;
    requests.look(record);
    try {
      Report report = Report.of(record);
      if (report != null) {
        into.add(report.point(attempt, SOURCE, index, now));
      }
    } catch (ProblemException notAMetric) {
      skippedRecords++;
    }
  }

  private static @Nullable JsonNode record(byte[] bytes, int from, int end) {
    if (end == from || bytes[end - 1] != '\n') {
      return null;
    }
    try {
      JsonNode node = Json.parse(new String(bytes, from, end - from, StandardCharsets.UTF_8));
      return node.isObject() ? node : null;
    } catch (ProblemException notJson) {
      return null;
    }
  }

  /** Whether another record begins on a new line within what should be one record. */
  private static boolean another(byte[] bytes, int from, int end) {
    for (int i = from; i < end - HEADER; i++) {
      if (bytes[i] == '\n' && isHeader(bytes, i + 1, end) == Match.YES) {
        return true;
      }
    }
    return false;
  }

  /** The index at which a header begins, or may begin at the very end; else {@code length}. */
  private static int nextHeader(byte[] bytes, int from, int length) {
    int at = from;
    while (at < length && isHeader(bytes, at, length) == Match.NO) {
      at++;
    }
    return at;
  }

  private enum Match {
    YES,
    NO,
    /** So far, but the bytes end here. */
    PERHAPS
  }

  private static Match isHeader(byte[] bytes, int at, int length) {
    for (int i = 0; i < HEADER; i++) {
      if (at + i == length) {
        return Match.PERHAPS;
      }
      byte b = bytes[at + i];
      boolean fits = i == 0 ? b == 'M' : i == 1 ? b == 'E' : b >= '0' && b <= '9';
      if (!fits) {
        return Match.NO;
      }
    }
    return Match.YES;
  }

  private static int bodyLength(byte[] bytes, int header) {
    int value = 0;
    for (int i = header + 2; i < header + HEADER; i++) {
      value = value * 10 + (bytes[i] - '0');
    }
    return value;
  }
}
