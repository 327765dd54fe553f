package io.orrery.core.bus;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.jsontype.BasicPolymorphicTypeValidator;
import com.fasterxml.jackson.dataformat.cbor.databind.CBORMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.MessageCodec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * Carries every record of {@code core}: by reference within the process, as CBOR with the class
 * name in front between processes. Only classes of {@code core} are ever named, so that a peer
 * cannot make us load anything else.
 */
final class WireCodec implements MessageCodec<Object, Object> {
  static final String NAME = "orrery";
  private static final String OURS = "io.orrery.core.";

  private final ObjectMapper mapper =
      CBORMapper.builder()
          .addModule(new JavaTimeModule())
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .polymorphicTypeValidator(
              BasicPolymorphicTypeValidator.builder().allowIfSubType(OURS).build())
          .build();

  @Override
  public void encodeToWire(Buffer out, Object message) {
    try {
      byte[] type = message.getClass().getName().getBytes(StandardCharsets.UTF_8);
      byte[] body = mapper.writeValueAsBytes(message);
      out.appendInt(type.length).appendBytes(type).appendInt(body.length).appendBytes(body);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public Object decodeFromWire(int position, Buffer in) {
    int typeLength = in.getInt(position);
    int bodyAt = position + 4 + typeLength + 4;
    String type = in.getString(position + 4, position + 4 + typeLength);
    int bodyLength = in.getInt(bodyAt - 4);
    try {
      return mapper.readValue(in.getBytes(bodyAt, bodyAt + bodyLength), message(type));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Class<?> message(String type) {
    if (!type.startsWith(OURS)) {
      throw new IllegalArgumentException("a message of a foreign class: " + type);
    }
    try {
      Class<?> message = Class.forName(type, false, WireCodec.class.getClassLoader());
      if (!message.isRecord()) {
        throw new IllegalArgumentException("a message that is no record: " + type);
      }
      return message;
    } catch (ClassNotFoundException e) {
      throw new IllegalArgumentException("a message of an unknown class: " + type, e);
    }
  }

  @Override
  public Object transform(Object message) {
    return message;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public byte systemCodecID() {
    return -1;
  }
}
