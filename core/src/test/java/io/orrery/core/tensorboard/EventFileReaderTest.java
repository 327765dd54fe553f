package io.orrery.core.tensorboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class EventFileReaderTest {
  private final List<ScalarEvent> found = new ArrayList<>();
  private final EventFileReader reader = new EventFileReader(found::add);

  private static byte[] file(int events) {
    EventFileWriter writer = new EventFileWriter(1_700_000_000_000L);
    for (int i = 0; i < events; i++) {
      writer.add(1_700_000_000_000L + i, i, Map.of("loss", i / 8.0));
    }
    return writer.take();
  }

  private static List<ScalarEvent> events(int from, int to) {
    List<ScalarEvent> events = new ArrayList<>();
    for (int i = from; i < to; i++) {
      events.add(new ScalarEvent(1_700_000_000_000L + i, i, Map.of("loss", i / 8.0)));
    }
    return events;
  }

  private static byte[] record(byte[] data) {
    ByteBuffer out = ByteBuffer.allocate(data.length + TfRecord.HEAD + TfRecord.FOOT);
    TfRecord.put(out, ByteBuffer.wrap(data));
    return out.array();
  }

  private void read(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    assertThat(reader.read(all.toByteArray(), all.size())).isEqualTo(all.size());
  }

  @Test
  void whatWasWrittenIsRead() {
    byte[] file = file(20);
    assertThat(reader.read(file, file.length)).isEqualTo(file.length);
    assertThat(found).isEqualTo(events(0, 20));
    assertThat(reader.damaged()).isZero();
  }

  @Test
  void aFileThatGrowsByAnyNumberOfBytesIsReadAsOneThatIsWhole() {
    Random random = new Random(5);
    byte[] file = file(50);
    for (int round = 0; round < 50; round++) {
      found.clear();
      EventFileReader growing = new EventFileReader(found::add);
      int read = 0;
      for (int size = 0; size < file.length; ) {
        size = Math.min(file.length, size + 1 + random.nextInt(90));
        byte[] there = Arrays.copyOfRange(file, read, size);
        read += growing.read(there, there.length);
      }
      assertThat(read).isEqualTo(file.length);
      assertThat(found).isEqualTo(events(0, 50));
    }
  }

  @Test
  void aCutTailIsWaitedForAndInTheEndGivenUp() {
    byte[] file = file(3);
    int taken = reader.read(file, file.length - 5);
    assertThat(found).isEqualTo(events(0, 2));
    assertThat(reader.damaged()).isZero();
    reader.end(file.length - 5 - taken);
    assertThat(reader.damaged()).isOne();
  }

  @Test
  void aRecordWhoseDataAreDamagedCostsItself() {
    byte[] file = file(3);
    file[file.length - 6] ^= 1;
    read(file, record(new byte[] {9}));
    assertThat(found).isEqualTo(events(0, 2));
    assertThat(reader.damaged()).as("a wrong checksum, and no event").isEqualTo(2);
  }

  @Test
  void aDamagedLengthEndsTheFile() {
    byte[] file = file(3);
    byte[] header = file(0);
    file[header.length] ^= 1;
    read(file);
    assertThat(found).isEmpty();
    assertThat(reader.damaged()).isOne();
    read(file(2));
    assertThat(found).isEmpty();
  }

  @Test
  void aRecordThatIsLargerThanAnyScalarIsPassedOverWithoutBeingHeld() {
    byte[] large = record(new byte[3 << 20]);
    byte[] file = file(1);
    for (int from = 0; from < large.length; from += 1 << 16) {
      byte[] piece = Arrays.copyOfRange(large, from, Math.min(large.length, from + (1 << 16)));
      assertThat(reader.read(piece, piece.length)).isEqualTo(piece.length);
    }
    read(file);
    assertThat(found).isEqualTo(events(0, 1));
    assertThat(reader.damaged()).isZero();
  }

  /** The first record of every file, byte for byte as other programs write it: "brain.Event:2". */
  @Test
  void theHeadOfAFileOfAnotherProgramIsRead() {
    byte[] version =
        HexFormat.of().parseHex("09" + "000000c0a4e5d941" + "1a0d" + "627261696e2e4576656e743a32");
    byte[] framed = record(version);
    assertThat(Arrays.copyOf(framed, 12))
        .as("24 bytes, and their masked CRC32C")
        .isEqualTo(HexFormat.of().parseHex("1800000000000000" + "a37f4b22"));
    read(framed);
    assertThat(found).isEmpty();
    assertThat(reader.damaged()).isZero();
  }

  /** The first form: Summary.Value with simple_value, as PyTorch's SummaryWriter has it. */
  @Test
  void aSimpleValueIsRead() {
    byte[] value = join(text(1, "train/loss"), new byte[] {0x15}, floating(0.1f));
    read(record(event(7, value)));
    assertThat(found).containsExactly(new ScalarEvent(1_500L, 7, Map.of("train/loss", 0.1)));
  }

  /** The second: a tensor without dimensions, and whose plugin says that it is a scalar. */
  @Test
  void aScalarThatIsATensorIsRead() {
    byte[] shape = {0x12, 0x00};
    byte[] scalars = message(9, message(1, text(1, "scalars")));
    byte[] content = message(8, join(new byte[] {0x08, 1}, shape, message(4, floating(0.25f))));
    byte[] listed =
        message(8, join(new byte[] {0x08, 1}, shape, new byte[] {0x2d}, floating(0.5f)));
    byte[] packed = message(8, join(new byte[] {0x08, 1}, shape, message(5, floating(0.75f))));
    byte[] whole = message(8, join(new byte[] {0x08, 9}, shape, new byte[] {0x50, 42}));
    byte[] half =
        message(8, join(new byte[] {0x08, 19}, message(13, new byte[] {(byte) 0x80, 0x78})));
    byte[] zero = message(8, new byte[] {0x08, 1});
    int step = 0;
    for (byte[] tensor : List.of(content, listed, packed, whole, half, zero)) {
      read(record(event(step++, join(text(1, "a"), tensor, scalars))));
    }
    assertThat(found.stream().map(event -> event.values().get("a")))
        .containsExactly(0.25, 0.5, 0.75, 42.0, 1.0, 0.0);
  }

  @Test
  void whatIsNoScalarIsPassedOver() {
    byte[] vector =
        message(
            8,
            join(
                new byte[] {0x08, 1},
                message(2, message(2, new byte[] {0x08, 2})),
                message(4, join(floating(1), floating(2)))));
    byte[] word = message(8, join(new byte[] {0x08, 7}, message(8, new byte[] {'x'})));
    byte[] ofAnotherPlugin =
        join(
            message(8, join(new byte[] {0x08, 1}, message(4, floating(1)))),
            message(9, message(1, text(1, "hparams"))));
    for (byte[] value : List.of(vector, word, ofAnotherPlugin, message(4, new byte[] {1, 2}))) {
      read(record(event(1, join(text(1, "a"), value))));
    }
    assertThat(found).isEmpty();
  }

  @Test
  void anythingElseIsDamagedAndNothingWorse() {
    Random random = new Random(3);
    for (int round = 0; round < 2_000; round++) {
      byte[] anything = new byte[random.nextInt(60)];
      random.nextBytes(anything);
      read(record(anything));
    }
    read(file(2));
    assertThat(found).endsWith(events(0, 2).toArray(ScalarEvent[]::new));
  }

  private static byte[] event(int step, byte[] value) {
    byte[] time =
        ByteBuffer.allocate(9).order(ByteOrder.LITTLE_ENDIAN).put((byte) 9).putDouble(1.5).array();
    return join(time, new byte[] {0x10, (byte) step}, message(5, message(1, value)));
  }

  private static byte[] text(int field, String text) {
    return message(field, text.getBytes(StandardCharsets.UTF_8));
  }

  /** A field that is bytes, fewer than 128. */
  private static byte[] message(int field, byte[] bytes) {
    return join(new byte[] {(byte) (field << 3 | 2), (byte) bytes.length}, bytes);
  }

  private static byte[] floating(float number) {
    return ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putFloat(number).array();
  }

  private static byte[] join(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }
}
