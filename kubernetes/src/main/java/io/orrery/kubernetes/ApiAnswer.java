package io.orrery.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import io.netty.buffer.ByteBuf;
import io.orrery.core.json.Json;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.buffer.BufferInternal;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An answer of an API server. Its body is parsed only on demand: most are the whole object that was
 * sent, and more.
 *
 * @param retryAfter the header of that name; null for none
 */
public record ApiAnswer(int code, Buffer body, @Nullable String retryAfter) {
  private static final Logger LOG = LoggerFactory.getLogger(ApiAnswer.class);

  boolean isSuccess() {
    return code >= 200 && code < 300;
  }

  JsonNode json() {
    return Json.parse(body.toString());
  }

  /** To find parts of it. */
  JsonScanner skim() {
    return new JsonScanner(bytes(body));
  }

  /** The content of a buffer, not copied; with an array behind it. */
  static ByteBuffer bytes(Buffer buffer) {
    ByteBuf held = ((BufferInternal) buffer).getByteBuf();
    return held.hasArray() ? held.nioBuffer() : ByteBuffer.wrap(buffer.getBytes());
  }

  ApiFailure failure() {
    return ApiFailure.of(code, body.toString(), retryAfter);
  }

  /** The {@code metadata} of an object; the rest of the object is skipped. */
  JsonNode metadata() {
    try {
      JsonScanner skim = skim();
      for (String key = skim.enter() ? skim.key() : null; key != null; key = skim.key()) {
        if (key.equals("metadata")) {
          return skim.treeWithout("managedFields");
        }
        skim.skip();
      }
    } catch (JsonScanner.MalformedException malformed) {
      LOG.debug("could not parse an object", malformed);
    }
    return json().path("metadata");
  }

  /** Fails unless the answer is a success; its body is not read. */
  public void check(String wanted) {
    if (!isSuccess()) {
      throw failure().exception(wanted);
    }
  }

  public JsonNode orThrow(String wanted) {
    check(wanted);
    return json();
  }
}
