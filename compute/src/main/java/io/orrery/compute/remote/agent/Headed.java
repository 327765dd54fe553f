package io.orrery.compute.remote.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;
import io.orrery.core.problem.ProblemException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A payload of two parts: a JSON object, and bytes behind it. */
record Headed(ObjectNode head, byte[] body) {
  private static final int LENGTH = 4;

  /**
   * The parts of a payload.
   *
   * @throws BrokenLinkException when it has no such parts
   */
  static Headed of(byte[] payload) throws BrokenLinkException {
    if (payload.length < LENGTH) {
      throw new BrokenLinkException("its agent sent a frame without a head");
    }
    int length = ByteBuffer.wrap(payload).getInt();
    if (length < 0 || length > payload.length - LENGTH) {
      throw new BrokenLinkException("its agent sent a head that is longer than its frame");
    }
    return new Headed(
        object(new String(payload, LENGTH, length, StandardCharsets.UTF_8)),
        Arrays.copyOfRange(payload, LENGTH + length, payload.length));
  }

  /**
   * The object of a JSON text.
   *
   * @throws BrokenLinkException when it is none
   */
  static ObjectNode object(String text) throws BrokenLinkException {
    JsonNode json;
    try {
      json = Json.parse(text);
    } catch (ProblemException e) {
      throw new BrokenLinkException("its agent sent a head that is no JSON");
    }
    if (json instanceof ObjectNode object) {
      return object;
    }
    throw new BrokenLinkException("its agent sent a head that is no object");
  }

  byte[] payload() {
    byte[] text = head.toString().getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(LENGTH + text.length + body.length)
        .putInt(text.length)
        .put(text)
        .put(body)
        .array();
  }
}
