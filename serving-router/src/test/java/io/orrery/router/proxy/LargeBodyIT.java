package io.orrery.router.proxy;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Bodies larger than the memory. {@code -Dorrery.large.bytes=5368709120} with a heap of 256 MB is
 * the proof; without it they are just large.
 */
@Timeout(600)
class LargeBodyIT extends RouterIT {
  private static final long BYTES = Long.getLong("orrery.large.bytes", 200L << 20);
  private static final byte[] PIECE = new byte[64 * 1024];

  @Test
  void anUploadPassesThrough() throws Exception {
    CompletableFuture<Long> received = new CompletableFuture<>();
    Upstream upstream =
        opened(
            Upstream.start(
                vertx,
                request -> {
                  long[] sum = {0};
                  request.handler(piece -> sum[0] += piece.length());
                  request.endHandler(end -> {
                    received.complete(sum[0]);
                    request.response().end();
                  });
                }));
    route("  - {name: a, endpoints: [\"" + upstream.address() + "\"], timeout: {total: 1h}}\n");

    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), router.port())) {
      socket
          .getOutputStream()
          .write(
              ("PUT / HTTP/1.1\r\nHost: a.service.orrery.localhost\r\nContent-Length: "
                      + BYTES
                      + "\r\n\r\n")
                  .getBytes(StandardCharsets.US_ASCII));
      for (long left = BYTES; left > 0; left -= Math.min(left, PIECE.length)) {
        socket.getOutputStream().write(PIECE, 0, (int) Math.min(left, PIECE.length));
      }
      assertThat(received.get(60, SECONDS)).isEqualTo(BYTES);
    }
  }

  @Test
  void aDownloadPassesThrough() throws Exception {
    Upstream upstream = opened(Upstream.start(vertx, new Flood()));
    route("  - {name: a, endpoints: [\"" + upstream.address() + "\"], timeout: {total: 1h}}\n");

    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), router.port())) {
      socket
          .getOutputStream()
          .write(
              "GET / HTTP/1.1\r\nHost: a.service.orrery.localhost\r\nConnection: close\r\n\r\n"
                  .getBytes(StandardCharsets.US_ASCII));
      InputStream in = socket.getInputStream();
      byte[] buffer = new byte[1 << 20];
      long sum = 0;
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        sum += read;
      }
      assertThat(sum).isBetween(BYTES, BYTES + 1_000);
    }
  }

  /** Writes as fast as it is read. */
  private static final class Flood implements Handler<HttpServerRequest> {
    @Override
    public void handle(HttpServerRequest request) {
      HttpServerResponse response =
          request.response().putHeader(HttpHeaders.CONTENT_LENGTH, Long.toString(BYTES));
      pump(response, new long[] {BYTES});
    }

    private static void pump(HttpServerResponse response, long[] left) {
      while (left[0] > 0 && !response.writeQueueFull()) {
        int next = (int) Math.min(left[0], PIECE.length);
        left[0] -= next;
        response.write(Buffer.buffer(PIECE).slice(0, next));
      }
      if (left[0] == 0) {
        left[0] = -1;
        response.end();
      } else if (left[0] > 0) {
        response.drainHandler(room -> pump(response, left));
      }
    }
  }
}
