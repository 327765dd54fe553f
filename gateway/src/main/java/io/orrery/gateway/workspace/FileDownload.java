package io.orrery.gateway.workspace;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The head of an answer that is a file of a person, which must not run as a part of our page.
 *
 * @param range that is asked for; null for the whole
 * @param size of the file
 */
record FileDownload(WorkspaceEntry entry, @Nullable ByteRange range, long size) {
  /** Reads what a request asks of a file. */
  static FileDownload asked(RoutingContext context, WorkspaceEntry entry) {
    String still = context.request().getHeader("If-Range");
    ByteRange range =
        still == null || still.equals(entry.tag())
            ? ByteRange.read(context.request().getHeader("Range"), entry.bytes())
            : null;
    return new FileDownload(entry, range, entry.bytes());
  }

  /** Whether nothing of what is asked for is there. */
  boolean isOutside() {
    return range != null && range.length() == 0;
  }

  /** The part that is sent. */
  ByteRange part() {
    return Objects.requireNonNullElse(range, new ByteRange(0, size));
  }

  /** Writes the fields of the head. */
  void head(HttpServerResponse response) {
    response
        .putHeader(HttpHeaders.CONTENT_TYPE, "application/octet-stream")
        .putHeader("Content-Disposition", "attachment")
        .putHeader("Content-Security-Policy", "sandbox; default-src 'none'")
        .putHeader(HttpHeaders.ACCEPT_RANGES, "bytes")
        .putHeader(HttpHeaders.ETAG, entry.tag());
    if (isOutside()) {
      response.setStatusCode(416).putHeader("Content-Range", "bytes */" + size);
      return;
    }
    ByteRange sent = part();
    if (range != null) {
      response
          .setStatusCode(206)
          .putHeader(
              "Content-Range", "bytes %d-%d/%d".formatted(sent.start(), sent.end() - 1, size));
    }
    response.putHeader(HttpHeaders.CONTENT_LENGTH, Long.toString(sent.length()));
  }
}
