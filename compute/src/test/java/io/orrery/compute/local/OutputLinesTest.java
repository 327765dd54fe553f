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
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OutputLinesTest {
  private String present = "7";
  private final OutputLines reader =
      new OutputLines(
          new AttemptRef(new TrialRef(new ExperimentId("e"), new TrialId("t")), 1),
          () -> present,
          new VirtualClock(Instant.EPOCH));

  @Test
  void aPrintedResultIsAReport() {
    List<MetricPoint> points =
        read(
            """
            epoch 1
            orrery: intermediate 0.5
            orrery: intermediate {"default": 0.25, "loss": 2}
            orrery: final nan
            """);

    assertThat(points)
        .extracting(MetricPoint::kind)
        .containsExactly(MetricKind.INTERMEDIATE, MetricKind.INTERMEDIATE, MetricKind.FINAL);
    assertThat(points)
        .extracting(point -> point.value().number())
        .containsExactly(0.5, 0.25, Double.NaN);
    assertThat(points).extracting(MetricPoint::sequence).containsExactly(0L, 1L, 0L);
    assertThat(points).extracting(MetricPoint::ordinal).containsExactly(0L, 1L, 2L);
  }

  @Test
  void aLineThatNamesNoSetIsOfTheOneThatIsThereWhenItIsRead() {
    List<MetricPoint> first = read("orrery: intermediate 0.5\norrery: final 0.5\n");
    present = "8";
    List<MetricPoint> second =
        read(
            """
            orrery: final 0.75
            NNISDK_MEb'{"parameter_id": 7, "type": "FINAL", "sequence": 0, "value": "0.5"}'
            """);

    assertThat(first).extracting(MetricPoint::parameterId).containsExactly("7", "7");
    assertThat(second).extracting(MetricPoint::parameterId).containsExactly("8", "7");
  }

  @Test
  void theLineOfTheStockSdkIsAReportWhereverItStands() {
    List<MetricPoint> points =
        read(
            """
            50%|#### NNISDK_MEb'{"parameter_id": 3, "type": "FINAL", "sequence": 0, "value": "0.5"}'
            NNISDK_MEb'{"type": "PERIODICAL", "sequence": 4, "value": "{\\\\"default\\\\": 0.75}"}'
            """);

    assertThat(points).extracting(point -> point.value().number()).containsExactly(0.5, 0.75);
    assertThat(points.getFirst().parameterId()).isEqualTo("3");
    assertThat(points.getLast().sequence()).isEqualTo(4);
  }

  /** C6: what counts here counts at every other way in; objectives may have names of their own. */
  @Test
  void aValueIsJudgedAsEverywhere() {
    assertThat(
            read(
                """
                orrery: final true
                orrery: final {"default": false}
                orrery: intermediate {"loss": 1}
                orrery: final {"loss": 1}
                NNISDK_MEb'{"type": "PERIODICAL", "sequence": 3.0, "value": "1"}'
                """))
        .extracting(point -> point.value().number())
        .containsExactly(1.0, 0.0, Double.NaN, Double.NaN, 1.0);
    assertThat(
            read(
                """
                orrery: final {"default": "0.5"}
                orrery: final "0.5"
                orrery: final {"default": 1, "default": 2}
                NNISDK_MEb'{"type": "PERIODICAL", "sequence": 3.5, "value": "1"}'
                """))
        .isEmpty();
  }

  @Test
  void whatOnlyLooksLikeAReportIsOutput() {
    assertThat(
            read(
                """
                orrery: final
                orrery: final soon
                orrery: best 0.5
                said orrery: final 0.5
                NNISDK_MEb'{"type": "FINAL"
                NNISDK_MEb'{}'
                """))
        .isEmpty();
    assertThat(reader.complaint())
        .isEqualTo("4 lines of stdout are no reports that can be read; the first: orrery: final");
  }

  @Test
  void aMistypedReportIsQuoted() { // B3
    assertThat(reader.complaint()).isNull();
    read("epoch 1\norrery: final 0.9x\n");
    assertThat(reader.complaint())
        .isEqualTo("this line of stdout is no report that can be read: orrery: final 0.9x");
  }

  @Test
  void theLastLineNeedsNoNewline() {
    assertThat(read("orrery: final 0.5")).hasSize(1);
  }

  /** Whether or not it fits into what is read at once. */
  @ParameterizedTest
  @ValueSource(ints = {1_000_000, 1_200_000, 3_000_000})
  void anEndlessLineIsPassedOver(int length, @TempDir Path directory) throws Exception {
    Path file = directory.resolve("stdout");
    Files.writeString(
        file,
        "orrery: final {\"default\": 1, \"text\": \"%s\"}\norrery: final 0.5\n"
            .formatted("x".repeat(length)));

    assertThat(new FileTailReader(file.getParent(), file, reader).next(true))
        .extracting(point -> point.value().number())
        .containsExactly(0.5);
    assertThat(reader.complaint()).contains("orrery: final {\"default\": 1");
  }

  private List<MetricPoint> read(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    List<MetricPoint> points = new ArrayList<>();
    reader.decode(bytes, bytes.length, true, points);
    return points;
  }
}
