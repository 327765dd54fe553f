package io.orrery.compute.local;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.json.Json;
import io.orrery.core.metric.MetricKind;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.time.Clock;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Reports that a trial prints among its other output, one on a line:
 *
 * <pre>
 * orrery: final 0.93
 * orrery: intermediate {"default": 0.5, "loss": 1.7}
 * NNISDK_MEb'{"parameter_id": 0, "type": "FINAL", "sequence": 0, "value": "0.93"}'
 * </pre>
 *
 * <p>The first two name no parameter set: they are of the one that the trial tries when they are
 * read, and are stored as such, so that what comes later changes nothing of it.
 *
 * <p>A line that begins like one of these and cannot be read, or is longer than a metric can be, is
 * ordinary output; it is counted, and the first one is quoted in {@link #complaint}.
 */
final class OutputLines implements FileTailReader.Decoder {
  /** {@link MetricPoint#source} of what is printed. */
  static final String SOURCE = "stdout";

  private static final int LONGEST = 1_000_000;

  /** Bytes of a line that cannot be read which are looked at to quote it. */
  private static final int SHOWN = 800;

  private static final byte[] PLAIN = "orrery: ".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] NNI = "NNISDK_MEb'".getBytes(StandardCharsets.US_ASCII);

  /** Says which parameter set a trial tries now. */
  @FunctionalInterface
  interface Present {
    /** The tuner's number of it; null when a user chose it. */
    @Nullable String parameterId();
  }

  private final AttemptRef attempt;
  private final Present present;
  private final Clock clock;
  private final SetRequests requests = new SetRequests();
  private long ordinal;
  private long intermediates;
  private boolean tooLong;
  private long unreadable;
  private String firstUnreadable = "";

  OutputLines(AttemptRef attempt, Present present, Clock clock) {
    this.attempt = attempt;
    this.present = present;
    this.clock = clock;
  }

  /** The highest parameter set that was asked for, 0 for none. */
  int asked() {
    return requests.highest();
  }

  /** The lines that begin like a report and are none, in words with the first; null for none. */
  @Nullable String complaint() {
    if (unreadable == 0) {
      return null;
    }
    return unreadable == 1
        ? "this line of stdout is no report that can be read: " + firstUnreadable
        : unreadable
            + " lines of stdout are no reports that can be read; the first: "
            + firstUnreadable;
  }

  private void unreadable(String line) {
    if (unreadable++ == 0) {
      firstUnreadable = Quote.of(line);
    }
  }

  @Override
  public int decode(byte[] bytes, int length, boolean atEnd, List<MetricPoint> into) {
    int start = 0;
    for (int i = 0; i < length; i++) {
      if (bytes[i] == '\n') {
        if (!tooLong) {
          line(bytes, start, i, into);
        }
        tooLong = false;
        start = i + 1;
      }
    }
    if (atEnd && !tooLong) {
      line(bytes, start, length, into);
    } else if (length - start > LONGEST && !tooLong) {
      tooLong = true;
      noteTooLong(bytes, start, length);
    }
    return atEnd || tooLong ? length : start;
  }

  private void line(byte[] bytes, int from, int end, List<MetricPoint> into) {
    if (end - from > LONGEST) {
      noteTooLong(bytes, from, end);
      return;
    }
    Report report = null;
    boolean refused = false;
    if (startsWith(bytes, from, end, PLAIN)) {
      report = plain(text(bytes, from + PLAIN.length, end));
      refused = report == null;
    } else {
      for (int i = from; i <= end - NNI.length && report == null; i++) {
        if (startsWith(bytes, i, end, NNI)) {
          try {
            report = nni(text(bytes, i + NNI.length, end));
          } catch (ProblemException notAMetric) {
            refused = true;
          }
        }
      }
    }
    if (report == null && refused) {
      unreadable(text(bytes, from, Math.min(end, from + SHOWN)));
    }
    if (report != null) {
      into.add(report.point(attempt, SOURCE, ordinal++, clock.millis()));
    }
  }

  private void noteTooLong(byte[] bytes, int from, int end) {
    if (startsWith(bytes, from, end, PLAIN) || startsWith(bytes, from, end, NNI)) {
      unreadable(text(bytes, from, from + SHOWN));
    }
  }

  private @Nullable Report plain(String text) {
    String[] words = text.split("\\s+", 2);
    if (words.length < 2) {
      return null;
    }
    MetricKind kind =
        switch (words[0]) {
          case "final" -> MetricKind.FINAL;
          case "intermediate" -> MetricKind.INTERMEDIATE;
          default -> null;
        };
    MetricValue value = kind == null ? null : value(words[1]);
    if (kind == null || value == null) {
      return null;
    }
    long sequence = kind == MetricKind.FINAL ? 0 : intermediates++;
    return new Report(kind, sequence, present.parameterId(), value);
  }

  /** As programs print numbers: {@code nan} and {@code inf} in any case too. */
  private static @Nullable MetricValue value(String text) {
    try {
      return switch (text.toLowerCase(Locale.ROOT)) {
        case "nan" -> MetricValue.of(Double.NaN);
        case "inf", "infinity" -> MetricValue.of(Double.POSITIVE_INFINITY);
        case "-inf", "-infinity" -> MetricValue.of(Double.NEGATIVE_INFINITY);
        default -> MetricValue.reported(text);
      };
    } catch (ProblemException notAMetric) {
      return null;
    }
  }

  /**
   * The text is a Python bytes literal, so that backslashes may stand doubled.
   *
   * @return null when it reports nothing, such as a request for parameters
   * @throws ProblemException when it is no payload, or its value no metric
   */
  private @Nullable Report nni(String literal) {
    int end = literal.lastIndexOf('\'');
    String text = literal.substring(0, Math.max(0, end));
    try {
      return payload(text);
    } catch (ProblemException perhapsEscaped) {
      return payload(unescaped(text));
    }
  }

  private @Nullable Report payload(String json) {
    JsonNode payload = Json.parse(json);
    requests.look(payload);
    return Report.of(payload);
  }

  private static String unescaped(String literal) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    byte[] text = literal.getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < text.length; i++) {
      if (text[i] != '\\' || i + 1 == text.length) {
        bytes.write(text[i]);
        continue;
      }
      byte next = text[++i];
      if (next == 'x' && i + 2 < text.length) {
        int high = Character.digit(text[i + 1], 16);
        int low = Character.digit(text[i + 2], 16);
        bytes.write(high * 16 + low);
        i += 2;
      } else {
        bytes.write(next == 'n' ? '\n' : next == 't' ? '\t' : next == 'r' ? '\r' : next);
      }
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private static boolean startsWith(byte[] bytes, int from, int end, byte[] prefix) {
    if (end - from < prefix.length) {
      return false;
    }
    for (int i = 0; i < prefix.length; i++) {
      if (bytes[from + i] != prefix[i]) {
        return false;
      }
    }
    return true;
  }

  private static String text(byte[] bytes, int from, int end) {
    return new String(bytes, from, end - from, StandardCharsets.UTF_8).strip();
  }
}
