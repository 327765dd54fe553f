package io.orrery.core.tensorboard;

import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The scalars of one event.
 *
 * @param millis when it was written, milliseconds since the epoch, as the writer's clock had it
 * @param values by tag, 1 or more
 */
public record ScalarEvent(long millis, long step, Map<String, Double> values) {
  private static final String SCALARS = "scalars";

  // Of TensorFlow's DataType.
  private static final int FLOAT = 1;
  private static final int DOUBLE = 2;
  private static final int INT32 = 3;
  private static final int INT64 = 9;
  private static final int BFLOAT16 = 14;
  private static final int HALF = 19;

  /**
   * Reads an Event of {@code event.proto}.
   *
   * @return null when it has no scalar, such as the first of a file, an image or a histogram
   * @throws RuntimeException when it is no event
   */
  static @Nullable ScalarEvent of(ByteBuffer message) {
    ProtoFields in = new ProtoFields(message);
    double seconds = 0;
    long step = 0;
    Map<String, Double> values = new LinkedHashMap<>();
    while (in.hasMore()) {
      switch (in.next()) {
        case 1 -> seconds = in.doubleValue();
        case 2 -> step = in.varint();
        case 5 -> readSummary(new ProtoFields(in.bytes()), values);
        default -> in.skip();
      }
    }
    return values.isEmpty() ? null : new ScalarEvent(Math.round(seconds * 1000), step, values);
  }

  private static void readSummary(ProtoFields in, Map<String, Double> values) {
    while (in.hasMore()) {
      if (in.next() == 1) {
        readValue(new ProtoFields(in.bytes()), values);
      } else {
        in.skip();
      }
    }
  }

  private static void readValue(ProtoFields in, Map<String, Double> values) {
    String tag = "";
    String plugin = SCALARS;
    Double value = null;
    while (in.hasMore()) {
      switch (in.next()) {
        case 1 -> tag = in.text();
        case 2 -> value = shortest(in.floatValue());
        case 8 -> value = scalar(new ProtoFields(in.bytes()));
        case 9 -> plugin = plugin(new ProtoFields(in.bytes()));
        default -> in.skip();
      }
    }
    if (value != null && plugin.equals(SCALARS)) {
      values.put(tag, value);
    }
  }

  /** Whose a value is; who says nothing writes scalars. */
  private static String plugin(ProtoFields metadata) {
    String name = "";
    while (metadata.hasMore()) {
      if (metadata.next() == 1) {
        ProtoFields data = new ProtoFields(metadata.bytes());
        while (data.hasMore()) {
          if (data.next() == 1) {
            name = data.text();
          } else {
            data.skip();
          }
        }
      } else {
        metadata.skip();
      }
    }
    return name.isEmpty() ? SCALARS : name;
  }

  /** The number of a tensor that has one and no dimension; else null. */
  private static @Nullable Double scalar(ProtoFields tensor) {
    int type = 0;
    boolean flat = true;
    ByteBuffer content = null;
    boolean listed = false;
    while (tensor.hasMore()) {
      int field = tensor.next();
      switch (field) {
        case 1 -> type = (int) tensor.varint();
        case 2 -> flat = !tensor.bytes().hasRemaining();
        case 4 -> {
          ByteBuffer raw = tensor.bytes();
          if (raw.hasRemaining()) {
            content = raw;
            listed = false;
          }
        }
        case 5, 6, 7, 10, 13 -> {
          content = tensor.numbers();
          listed = true;
        }
        default -> tensor.skip();
      }
    }
    if (!flat) {
      return null;
    }
    if (content == null || !content.hasRemaining()) {
      // Zero is what need not be said.
      return type == FLOAT || type == DOUBLE || type == INT32 || type == INT64 ? 0.0 : null;
    }
    return switch (type) {
      case FLOAT -> shortest(content.getFloat());
      case DOUBLE -> content.getDouble();
      case INT32 -> (double) (listed ? (int) ProtoFields.varint(content) : content.getInt());
      case INT64 -> (double) (listed ? ProtoFields.varint(content) : content.getLong());
      case HALF -> shortest(Float.float16ToFloat(bits(content, listed)));
      case BFLOAT16 -> shortest(Float.intBitsToFloat(bits(content, listed) << 16));
      default -> null;
    };
  }

  private static short bits(ByteBuffer content, boolean listed) {
    return listed ? (short) ProtoFields.varint(content) : content.getShort();
  }

  /** The shortest decimal number that is this float: 0.1 and not 0.10000000149. */
  private static double shortest(float value) {
    return Double.parseDouble(Float.toString(value));
  }
}
