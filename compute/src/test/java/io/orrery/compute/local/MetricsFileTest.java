package io.orrery.compute.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.id.TrialRef;
import io.orrery.core.metric.MetricKind;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.time.VirtualClock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MetricsFileTest {
  private static final AttemptRef ATTEMPT =
      new AttemptRef(new TrialRef(new ExperimentId("e"), new TrialId("t")), 1);

  private final MetricsFile reader =
      new MetricsFile(ATTEMPT, new VirtualClock(Instant.ofEpochMilli(1_234)));

  @Test
  void aRecordBecomesAPoint() {
    List<MetricPoint> points =
        read(
            record(
                "{\"parameter_id\": \"2_1_0\", \"trial_job_id\": \"t\", \"type\": \"PERIODICAL\","
                    + " \"sequence\": 7, \"value\": \"{\\\"default\\\": 0.93, \\\"loss\\\": 2}\"}"));

    MetricPoint point = points.getFirst();
    assertThat(point.attempt()).isEqualTo(ATTEMPT);
    assertThat(point.source()).isEqualTo("file");
    assertThat(point.ordinal()).isZero();
    assertThat(point.kind()).isEqualTo(MetricKind.INTERMEDIATE);
    assertThat(point.sequence()).isEqualTo(7);
    assertThat(point.parameterId()).isEqualTo("2_1_0");
    assertThat(point.time()).isEqualTo(1_234);
    assertThat(point.value().number()).isEqualTo(0.93);
    assertThat(point.value().document()).contains("\"loss\":2");
    assertThat(reader.complaint()).isNull();
  }

  @Test
  void lengthsCountBytesNotCharacters() {
    assertThat(
            read(
                metric("0.5")
                    + record("{\"type\": \"FINAL\", \"größe\": \"µ\", \"value\": \"1\"}")))
        .hasSize(2);
    assertThat(reader.complaint()).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"NaN", "Infinity", "-Infinity", "0.5", "1e-9"})
  void everyNumberThatPythonWritesIsRead(String number) {
    assertThat(read(metric(number)).getFirst().value().number()).isEqualTo(Double.valueOf(number));
  }

  @Test
  void aRequestForParametersIsNoPointButIsCounted() {
    List<MetricPoint> points =
        read(record("{\"type\": \"REQUEST_PARAMETER\", \"sequence\": 0}") + metric("0.5"));

    assertThat(points).hasSize(1);
    assertThat(points.getFirst().ordinal()).isEqualTo(1);
    assertThat(reader.complaint()).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "garbage",
        "\0\u0001ME00",
        "ME000005{\"a\":",
        "ME999999{}\n",
        "ME000000",
        "ME000009not json\n",
        "ME000003[]\n",
        "ME000012ME000012ME\n",
        "ME000030{\"type\": \"FINAL\", \"value\": \"x\"}\n",
      })
  void whatIsNoRecordCostsNoNeighbour(String garbage) {
    List<MetricPoint> points = read(metric("0.25") + garbage + metric("0.5") + metric("0.75"));

    assertThat(points).extracting(point -> point.value().number()).containsExactly(0.25, 0.5, 0.75);
    assertThat(reader.complaint()).isNotNull();
  }

  @Test
  void aWrongLengthHoldsUpNothingOnceTheNextRecordHasBegun() {
    byte[] bytes = bytes("ME900000{\"type\": \"FINAL\"}\n" + metric("0.5"));
    List<MetricPoint> points = new ArrayList<>();

    reader.decode(bytes, bytes.length, false, points);

    assertThat(points).hasSize(1);
  }

  @Test
  void aRecordThatIsJsonButNoMetricIsCounted() {
    assertThat(read(metric("\\\"high\\\"") + metric("0.5"))).hasSize(1);
    assertThat(reader.complaint()).contains("1 records no metric");
  }

  @Test
  void howTheFileIsCutIntoChunksMakesNoDifference() {
    Random random = new Random(7);
    for (int round = 0; round < 300; round++) {
      byte[] file = damaged(random);
      List<MetricPoint> whole = new ArrayList<>();
      fresh().decode(file, file.length, true, whole);

      assertThat(inPieces(file, random)).isEqualTo(whole);
    }
  }

  @Test
  void aTailHandsOverEachRecordOnce(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("metrics");
    FileTailReader tail = new FileTailReader(file.getParent(), file, reader);
    assertThat(tail.next(false)).isEmpty();
    String text = metric("0.1") + metric("0.2") + metric("0.3");

    Files.writeString(file, text.substring(0, text.length() - 20));
    assertThat(tail.next(false)).hasSize(2);
    assertThat(tail.next(false)).isEmpty();
    Files.writeString(file, text);

    assertThat(tail.next(true)).hasSize(1);
    assertThat(tail.next(true)).isEmpty();
    assertThat(reader.complaint()).isNull();
  }

  private static MetricsFile fresh() {
    return new MetricsFile(ATTEMPT, new VirtualClock(Instant.ofEpochMilli(1_234)));
  }

  /**
   * As {@link FileTailReader} hands bytes over: what was not taken comes again, with more behind.
   */
  private static List<MetricPoint> inPieces(byte[] file, Random random) {
    MetricsFile pieces = fresh();
    List<MetricPoint> points = new ArrayList<>();
    int taken = 0;
    for (int end = 0; end < file.length; ) {
      end = Math.min(file.length, end + 1 + random.nextInt(90));
      byte[] seen = Arrays.copyOfRange(file, taken, end);
      taken += pieces.decode(seen, seen.length, false, points);
    }
    byte[] rest = Arrays.copyOfRange(file, taken, file.length);
    pieces.decode(rest, rest.length, true, points);
    return points;
  }

  /** Some records, some of them torn, shifted or overwritten. */
  private static byte[] damaged(Random random) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 12; i++) {
      String record = metric("0." + i);
      switch (random.nextInt(5)) {
        case 0 -> text.append(record, 0, random.nextInt(record.length()));
        case 1 -> text.append(record, random.nextInt(record.length()), record.length());
        case 2 -> {
          StringBuilder worse = new StringBuilder(record);
          worse.setCharAt(random.nextInt(record.length()), (char) ('0' + random.nextInt(40)));
          text.append(worse);
        }
        default -> text.append(record);
      }
    }
    return bytes(text.toString());
  }

  private List<MetricPoint> read(String text) {
    byte[] bytes = bytes(text);
    List<MetricPoint> points = new ArrayList<>();
    assertThat(reader.decode(bytes, bytes.length, true, points)).isEqualTo(bytes.length);
    return points;
  }

  private static String metric(String value) {
    return record(
        "{\"parameter_id\": 3, \"type\": \"FINAL\", \"sequence\": 0, \"value\": \""
            + value
            + "\"}");
  }

  private static String record(String json) {
    return "ME%06d%s\n".formatted(bytes(json).length + 1, json);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
