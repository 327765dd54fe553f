package io.orrery.gateway.http;

import com.fasterxml.jackson.databind.JsonNode;
import io.netty.buffer.Unpooled;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.buffer.BufferInternal;
import org.jspecify.annotations.Nullable;

/**
 * An answer that is complete before it is sent.
 *
 * @param body null for none
 * @param text a body that is JSON text already, instead of {@code body}; null for none
 * @param location where what was created can be found, null when nothing was
 */
public record Reply(
    int status, @Nullable JsonNode body, @Nullable Buffer text, @Nullable String location) {
  public Reply(int status, @Nullable JsonNode body, @Nullable String location) {
    this(status, body, null, location);
  }

  /** A large answer. */
  public static Reply ok(JsonText json) {
    return new Reply(200, null, json.toBuffer(), null);
  }

  /** An answer whose parts are JSON text in UTF-8, one behind the other. */
  public static Reply ok(byte[]... parts) {
    return new Reply(
        200, null, BufferInternal.buffer(Unpooled.wrappedBuffer(parts.length, parts)), null);
  }

  public static Reply ok(JsonNode body) {
    return new Reply(200, body, null);
  }

  public static Reply created(String location, JsonNode body) {
    return new Reply(201, body, location);
  }

  public static Reply status(int status, JsonNode body) {
    return new Reply(status, body, null);
  }

  public static Reply empty(int status) {
    return new Reply(status, null, null);
  }
}
