package io.orrery.gateway.metric.wire;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.with;

import io.orrery.core.time.VirtualClock;
import io.vertx.core.Context;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.ServerWebSocket;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A WebSocket at whose other end plain frames are read, with what came there. */
abstract class PlainFramesFixture {
  static final int CONTINUATION = 0;
  static final int TEXT = 1;
  static final int BINARY = 2;
  static final int PING = 9;
  static final int LAST = 0x80;
  static final Duration SWEEP = Duration.ofMillis(100);

  final Vertx vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true));
  final List<String> came = new CopyOnWriteArrayList<>();
  final AtomicInteger rounds = new AtomicInteger();
  final VirtualClock clock = new VirtualClock(Instant.EPOCH);
  final DeferredReads sweep = new DeferredReads(clock, this::sweeping);
  volatile @Nullable PlainFrames frames;
  volatile @Nullable Context loop;
  volatile boolean paused;
  volatile boolean sweeping;
  volatile boolean gone;
  Socket socket;

  @BeforeEach
  final void connect() throws Exception {
    int port =
        vertx
            .createHttpServer()
            .requestHandler(this::open)
            .listen(0, "127.0.0.1")
            .await(10, SECONDS)
            .actualPort();
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(10_000);
    socket.setTcpNoDelay(true);
    write(
        ("GET / HTTP/1.1\r\nHost: here\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n")
            .getBytes(ISO_8859_1));
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      head.append((char) socket.getInputStream().read());
    }
    assertThat(head).startsWith("HTTP/1.1 101");
    soon().until(() -> frames != null);
  }

  @AfterEach
  final void stop() throws Exception {
    socket.close();
    vertx.close().await(10, SECONDS);
  }

  private void open(HttpServerRequest request) {
    HttpConnection connection = request.connection();
    request.toWebSocket().onSuccess(opened -> read(connection, opened));
  }

  private void read(HttpConnection connection, ServerWebSocket opened) {
    loop = vertx.getOrCreateContext();
    opened.closeHandler(closed -> gone = true);
    opened.frameHandler(frame -> {
      if (!frame.isPing()) {
        came.add("ordinary " + frame.textData());
      }
    });
    frames =
        PlainFrames.read(
            connection,
            new PlainFrames.LoopState(sweep),
            new PlainFrames.Taker() {
              @Override
              public void take(byte[] bytes, int from, int to) {
                String message = new String(bytes, from, to - from, ISO_8859_1);
                came.add((paused ? "early " : sweeping ? "swept " : "short ") + message);
                if (message.equals("pause")) {
                  paused = true;
                  frames.pause();
                }
              }

              @Override
              public void taken() {
                rounds.incrementAndGet();
              }

              @Override
              public void control() {
                came.add("control");
              }

              @Override
              public void writable() {
                came.add("writable");
              }
            });
    assertThat(frames).isNotNull();
  }

  private void sweeping(Runnable sweep) {
    sweeping = true;
    sweep.run();
    sweeping = false;
  }

  final void write(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
  }

  static byte[] frame(int first, String text) {
    byte[] key = {0x12, (byte) 0xf3, 0x45, (byte) 0x87};
    byte[] payload = text.getBytes(ISO_8859_1);
    ByteArrayOutputStream frame = new ByteArrayOutputStream();
    frame.write(first);
    if (payload.length <= 125) {
      frame.write(0x80 | payload.length);
    } else if (payload.length <= 0xffff) {
      frame.write(0x80 | 126);
      frame.write(payload.length >> 8);
      frame.write(payload.length);
    } else {
      frame.write(0x80 | 127);
      for (int shift = 56; shift >= 0; shift -= 8) {
        frame.write((int) ((long) payload.length >> shift));
      }
    }
    frame.writeBytes(key);
    for (int i = 0; i < payload.length; i++) {
      frame.write(payload[i] ^ key[i % 4]);
    }
    return frame.toByteArray();
  }

  static byte[] text(String text) {
    return frame(LAST | TEXT, text);
  }

  static byte[] all(byte[]... some) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] one : some) {
      all.writeBytes(one);
    }
    return all.toByteArray();
  }

  /** Runs a task on the loop of the connection, which alone may touch it. */
  final void onTheLoop(Runnable task) throws Exception {
    Promise<Void> done = Promise.promise();
    loop.runOnContext(nothing -> {
      try {
        task.run();
        done.complete();
      } catch (RuntimeException | AssertionError e) {
        done.fail(e);
      }
    });
    done.future().await(10, SECONDS);
  }

  /** Looks often: a hundred cuts are looked for one after the other. */
  static ConditionFactory soon() {
    return with().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(2)).await();
  }

  final void awaitCame(String... messages) {
    soon().untilAsserted(() -> assertThat(came).containsExactly(messages));
  }
}
