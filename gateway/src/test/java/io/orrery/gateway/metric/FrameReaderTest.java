package io.orrery.gateway.metric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.core.problem.ProblemException;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FrameReaderTest {
  private static final long NOW = 1_700_000_000_000L;
  private static final int FIRST = 5;

  private final FrameReader frames = new FrameReader(new PlainReader());

  private static String line(int sequence) {
    return "{\"trial\":\"exp/abcde\",\"kind\":\"intermediate\",\"sequence\":"
        + sequence
        + ",\"value\":0.5}";
  }

  /** What a reader of pieces makes of a message; its lines and the number after the last. */
  private static List<Object> expected(String message) {
    BatchReader reader = new BatchReader(new PlainReader(), NOW, FIRST);
    try {
      reader.take(Buffer.buffer(message));
      List<Object> all = new ArrayList<>(reader.lines());
      all.add(reader.number());
      return all;
    } catch (ProblemException e) {
      return List.of(e.getMessage());
    }
  }

  private List<Object> read(String message) {
    List<MetricLine> lines = new ArrayList<>();
    try {
      int next = frames.read(Buffer.buffer(message), NOW, FIRST, lines);
      List<Object> all = new ArrayList<>(lines);
      all.add(next);
      return all;
    } catch (ProblemException e) {
      assertThat(lines).isEmpty();
      return List.of(e.getMessage());
    }
  }

  @Test
  void aMessageIsReadAsAReaderOfPiecesDoes() {
    Random random = new Random(4);
    String[] parts = {
      line(1), line(2), line(3), "\n", "\n", "\n", " ", "\r\n", "{}", "{\"trial\":"
    };
    for (int i = 0; i < 5_000; i++) {
      StringBuilder message = new StringBuilder();
      for (int part = random.nextInt(8); part >= 0; part--) {
        message.append(parts[random.nextInt(random.nextInt(parts.length) + 1)]);
        if (random.nextInt(4) > 0) {
          message.append('\n');
        }
      }
      assertThat(read(message.toString())).isEqualTo(expected(message.toString()));
    }
  }

  @Test
  void singleLinesAreReadAsIfEachWereTheFirst() {
    for (int i = 0; i < 100; i++) {
      String message = i % 7 == 0 ? line(i) + "\n" : i % 11 == 0 ? line(i) + "x" : line(i);
      assertThat(read(message)).as(message).isEqualTo(expected(message));
    }
  }

  @Test
  void aLongMessageIsReadToo() {
    String message = (line(1) + "\n").repeat(2_000);

    assertThat(read(message)).hasSize(2_001).isEqualTo(expected(message));
  }

  @Test
  void aBadLineTakesItsWholeMessageWithIt() {
    List<MetricLine> lines = new ArrayList<>(frames.reader(NOW, 1).lines());
    frames.read(Buffer.buffer(line(1)), NOW, 1, lines);

    assertThatThrownBy(
            () -> frames.read(Buffer.buffer(line(2) + "\n" + line(3) + "\n{}"), NOW, 2, lines))
        .isInstanceOf(ProblemException.class);
    assertThat(lines).extracting(MetricLine::sequence).containsExactly(1L);
  }
}
