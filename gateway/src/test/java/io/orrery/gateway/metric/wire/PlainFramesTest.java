package io.orrery.gateway.metric.wire;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
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
import java.io.InputStream;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server that notes down which way each message came. */
class PlainFramesTest {
  private static final int CONTINUATION = 0;
  private static final int TEXT = 1;
  private static final int BINARY = 2;
  private static final int PING = 9;
  private static final int LAST = 0x80;
  private static final Duration SWEEP = Duration.ofMillis(100);

  private final Vertx vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true));
  private final List<String> came = new CopyOnWriteArrayList<>();
  private final AtomicInteger rounds = new AtomicInteger();
  private final VirtualClock clock = new VirtualClock(Instant.EPOCH);
  private final DeferredReads sweep = new DeferredReads(clock, this::sweeping);
  private volatile @Nullable PlainFrames frames;
  private volatile @Nullable Context loop;
  private volatile boolean paused;
  private volatile boolean sweeping;
  private volatile boolean gone;
  private Socket socket;

  @BeforeEach
  void connect() throws Exception {
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
  void stop() throws Exception {
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

  private void write(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
  }

  private static byte[] frame(int first, String text) {
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

  private static byte[] text(String text) {
    return frame(LAST | TEXT, text);
  }

  private static byte[] all(byte[]... some) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] one : some) {
      all.writeBytes(one);
    }
    return all.toByteArray();
  }

  /** Where the connection lives, which alone may touch it. */
  private void onTheLoop(Runnable task) throws Exception {
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
  private static ConditionFactory soon() {
    return with().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(2)).await();
  }

  private void awaitCame(String... messages) {
    soon().untilAsserted(() -> assertThat(came).containsExactly(messages));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3, 7, 8, 9, 125, 126, 1_000, 65_000})
  void aMessageOfAnyLengthIsUnmasked(int length) throws Exception {
    String text = "0123456789".repeat(6_500).substring(0, length);
    write(text(text));

    awaitCame("short " + text);
  }

  @Test
  void whatComesTogetherIsHandedOverTogether() throws Exception {
    write(all(text("a"), frame(LAST | BINARY, "b"), text("c")));

    awaitCame("short a", "short b", "short c");
    soon().untilAsserted(() -> assertThat(rounds).hasValue(1));
  }

  @Test
  void framesMayBeCutAnywhere() throws Exception {
    byte[] both = all(text("first"), text("x".repeat(200)));
    for (int cut = 1; cut < both.length; cut++) {
      came.clear();
      socket.getOutputStream().write(both, 0, cut);
      socket.getOutputStream().write(both, cut, both.length - cut);

      awaitCame("short first", "short " + "x".repeat(200));
    }
  }

  @Test
  void aPingBetweenTwoMessagesIsAnswered() throws Exception {
    write(all(text("a"), frame(LAST | PING, "there?"), text("b")));

    InputStream in = socket.getInputStream();
    assertThat(in.readNBytes(8))
        .isEqualTo(all(new byte[] {(byte) 0x8a, 6}, "there?".getBytes(ISO_8859_1)));
    awaitCame("short a", "control", "short b");
  }

  @Test
  void fromAMessageInSeveralFramesOnTheOrdinaryWayIsTaken() throws Exception {
    write(all(text("a"), frame(TEXT, "b1"), frame(LAST | CONTINUATION, "b2"), text("c")));

    awaitCame("short a", "ordinary b1", "ordinary b2", "ordinary c");
  }

  @Test
  void fromALongMessageOnTheOrdinaryWayIsTaken() throws Exception {
    String big = "x".repeat(65_535);
    write(all(text("a"), text(big), text("b")));

    awaitCame("short a", "ordinary " + big, "ordinary b");
  }

  @Test
  void aFrameWithoutAMaskIsRefusedByVertx() throws Exception {
    write(all(text("a"), new byte[] {(byte) 0x81, 1, 'b'}));

    socket.getInputStream().readAllBytes();
    assertThat(came).containsExactly("short a");
  }

  @Test
  void whoPausesGetsNothingMoreUntilItGoesOn() throws Exception {
    write(all(text("a"), text("pause"), text("b")));
    awaitCame("short a", "short pause");
    write(text("c"));

    onTheLoop(() -> {
      paused = false;
      frames.resume();
    });

    awaitCame("short a", "short pause", "short b", "short c");
  }

  @Test
  void answersAreFramesOfText() throws Exception {
    write(text("a"));
    awaitCame("short a");

    onTheLoop(() -> assertThat(frames.write("{\"ack\":1}")).isTrue());
    assertThat(socket.getInputStream().readNBytes(11))
        .isEqualTo(all(new byte[] {(byte) 0x81, 9}, "{\"ack\":1}".getBytes(ISO_8859_1)));
    onTheLoop(() -> assertThat(frames.write("x".repeat(126))).isFalse());
  }

  /** Each time that something is looked for, a sweep passes. */
  private void awaitSwept(String... messages) {
    soon()
        .untilAsserted(() -> {
          onTheLoop(() -> clock.advance(SWEEP));
          assertThat(came).containsExactly(messages);
        });
  }

  private void takeItsTime() throws Exception {
    assumeThat(vertx.isNativeTransportEnabled()).as("there is an epoll").isTrue();
    onTheLoop(() -> frames.atLeisure(true));
  }

  @Test
  void whoHasTimeIsReadInTheNextSweepAlone() throws Exception {
    takeItsTime();
    write(all(text("a"), text("b")));
    // What has come meanwhile has been read when a turn of the loop later is over.
    onTheLoop(() -> {});
    onTheLoop(() -> assertThat(came).isEmpty());

    awaitSwept("swept a", "swept b");

    onTheLoop(() -> frames.atLeisure(false));
    write(text("c"));
    awaitCame("swept a", "swept b", "short c");
  }

  @Test
  void inASweepFramesMayBeCutAnywhere() throws Exception {
    takeItsTime();
    byte[] both = all(text("first"), text("second"));
    for (int cut = 1; cut < both.length; cut++) {
      came.clear();
      int first = cut < text("first").length ? 0 : 1;
      socket.getOutputStream().write(both, 0, cut);
      awaitSwept(first == 0 ? new String[0] : new String[] {"swept first"});
      socket.getOutputStream().write(both, cut, both.length - cut);

      awaitSwept("swept first", "swept second");
    }
  }

  @Test
  void whoHasMoreThanASipIsReadAtOnceFromThere() throws Exception {
    takeItsTime();
    String big = "x".repeat(30_000);
    write(all(text("a"), text(big), text("b")));

    soon()
        .untilAsserted(() -> {
          onTheLoop(() -> clock.advance(SWEEP));
          assertThat(came).containsExactly("swept a", "short " + big, "short b");
        });
    write(text("c"));
    awaitCame("swept a", "short " + big, "short b", "short c");
  }

  @Test
  void inASweepAPingIsAnsweredAndAMessageInSeveralFramesGoesTheOrdinaryWay() throws Exception {
    takeItsTime();
    write(all(text("a"), frame(LAST | PING, "there?"), frame(TEXT, "b1")));
    awaitSwept("swept a", "control", "ordinary b1");
    assertThat(socket.getInputStream().readNBytes(8))
        .isEqualTo(all(new byte[] {(byte) 0x8a, 6}, "there?".getBytes(ISO_8859_1)));

    write(all(frame(LAST | CONTINUATION, "b2"), text("c")));
    awaitCame("swept a", "control", "ordinary b1", "ordinary b2", "ordinary c");
  }

  @Test
  void inASweepWhoPausesGetsNothingMoreUntilItGoesOn() throws Exception {
    takeItsTime();
    write(all(text("a"), text("pause"), text("b")));
    awaitSwept("swept a", "swept pause");

    onTheLoop(() -> {
      paused = false;
      frames.resume();
    });
    awaitCame("swept a", "swept pause", "short b");
  }

  @Test
  void whoLeavesIsMissedByTheSweepToo() throws Exception {
    takeItsTime();
    write(text("a"));
    socket.close();

    soon()
        .untilAsserted(() -> {
          onTheLoop(() -> clock.advance(SWEEP));
          assertThat(gone).isTrue();
          assertThat(clock.pending()).isZero();
        });
    assertThat(came.getFirst()).endsWith(" a");
  }

  @Test
  void afterTheLastSweepConnectionsAreReadAtOnce() throws Exception {
    takeItsTime();
    onTheLoop(() -> {
      frames.atLeisure(false);
      clock.advance(SWEEP);
      assertThat(clock.pending()).isZero();
    });
    write(text("a"));
    awaitCame("short a");

    takeItsTime();
    write(text("b"));
    awaitSwept("short a", "swept b");
  }
}
