package io.orrery.benchmarks.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.benchmarks.ingest.peer.IngestPeer;
import io.orrery.benchmarks.ingest.peer.PostPlan;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class LineBatchTest {
  private static final Instant NOW = Instant.parse("2026-11-24T12:00:00Z");

  @Test
  void oursAreNumberedByTheirSequence() {
    LineBatch lines = new LineBatch("e/t", "c0", 2);
    lines.next();
    assertThat(text(lines))
        .isEqualTo(
            """
            {"trial":"e/t","kind":"intermediate","source":"c0","sequence":1000000002,"value":0.8100000}
            {"trial":"e/t","kind":"intermediate","source":"c0","sequence":1000000003,"value":0.8107919}
            """);
  }

  @Test
  void databasesOfTimeGetAPointOfEachMillisecondFromADayAgo() {
    for (String name : List.of("victoriametrics", "influxdb")) {
      PostPlan post = post(name);
      assertThat(post.path()).isEqualTo("/write?db=points&precision=ms");
      LineBatch lines = new LineBatch(post.form(), post.first(), 2);
      lines.next();
      assertThat(text(lines))
          .isEqualTo(
              """
              reported,trial=t3,source=c19 value=0.8100000 1795435200002
              reported,trial=t3,source=c19 value=0.8107919 1795435200003
              """);
    }
  }

  @Test
  void thePushgatewayGetsOtherValuesOfTheSameMetrics() {
    PostPlan post = post("pushgateway");
    assertThat(post.path()).isEqualTo("/metrics/job/reported/trial/t3");
    LineBatch lines = new LineBatch(post.form(), post.first(), 2);
    lines.next();
    assertThat(text(lines))
        .isEqualTo(
            """
            reported{line="0"} 0.1000000002
            reported{line="1"} 0.1000000003
            """);
  }

  private static PostPlan post(String peer) {
    return IngestPeer.all(NOW).stream()
        .filter(p -> p.name().equals(peer))
        .findFirst()
        .orElseThrow()
        .post("t3", "c19");
  }

  private static String text(LineBatch lines) {
    return new String(lines.next(), StandardCharsets.US_ASCII);
  }
}
