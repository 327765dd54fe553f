package io.orrery.router.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.orrery.router.policy.WorkTurns;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PacedFramesTest {
  private static final long MICROS = TimeUnit.MICROSECONDS.toNanos(1);
  private static final String HOSTILE = "10.0.0.1";
  private static final String OTHER = "10.0.0.2";

  private final AtomicLong now = new AtomicLong();
  private final WorkTurns turns = new WorkTurns(now::get);
  private final List<String> order = new ArrayList<>();
  private final List<EmbeddedChannel> channels = new ArrayList<>();
  private int reads;

  /** A codec that takes a time for each byte, and the end of the connection with a word. */
  private final class SlowCodec extends ChannelInboundHandlerAdapter {
    private final String name;
    private final long nanosOfByte;
    private final StringBuilder seen = new StringBuilder();
    private int completions;

    SlowCodec(String name, long nanosOfByte) {
      this.name = name;
      this.nanosOfByte = nanosOfByte;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      ByteBuf bytes = (ByteBuf) message;
      now.addAndGet(nanosOfByte * bytes.readableBytes());
      seen.append(bytes.toString(StandardCharsets.US_ASCII));
      order.add(name);
      bytes.release();
    }

    /** Reads on where the connection does not by itself, as Netty's codec of HTTP/2 does. */
    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
      completions++;
      if (!ctx.channel().config().isAutoRead()) {
        ctx.read();
      }
    }
  }

  /** Counts what the connection is asked to read. */
  private final class Connection extends ChannelOutboundHandlerAdapter {
    @Override
    public void read(ChannelHandlerContext ctx) {
      reads++;
      ctx.read();
    }
  }

  private EmbeddedChannel channel(String client, SlowCodec codec) {
    EmbeddedChannel channel =
        new EmbeddedChannel(new Connection(), new PacedFrames(turns, client), codec);
    channels.add(channel);
    return channel;
  }

  @AfterEach
  void close() {
    channels.forEach(EmbeddedChannel::finishAndReleaseAll);
  }

  private static ByteBuf bytes(int count) {
    return Unpooled.copiedBuffer("0123456789".repeat(count / 10), StandardCharsets.US_ASCII);
  }

  /** A turn of the event loop. */
  private static void turn(EmbeddedChannel channel) {
    channel.advanceTimeBy(1, TimeUnit.MICROSECONDS);
    channel.runScheduledPendingTasks();
  }

  @Test
  void whatTakesLongerThanATurnGoesOnInTheNextOnesAndIsNotReadMeanwhile() {
    SlowCodec codec = new SlowCodec("slow", 10 * MICROS);
    EmbeddedChannel channel = channel(HOSTILE, codec);
    ByteBuf read = bytes(5_000);

    channel.writeInbound(read);

    assertThat(codec.seen).hasSizeLessThan(2_000);
    assertThat(channel.config().isAutoRead()).isFalse();
    int readsBefore = reads;
    int turnsTaken = 0;
    while (codec.seen.length() < 5_000) {
      int before = codec.seen.length();
      assertThat(reads).isEqualTo(readsBefore);
      turn(channel);
      assertThat(codec.seen.length() - before).isBetween(1, 200);
      turnsTaken++;
    }
    assertThat(turnsTaken).isGreaterThan(20);
    assertThat(codec.seen).hasToString("0123456789".repeat(500));
    assertThat(channel.config().isAutoRead()).isTrue();
    assertThat(reads).isGreaterThan(readsBefore);
    assertThat(codec.completions).isGreaterThan(turnsTaken);
    assertThat(read.refCnt()).isZero();
  }

  @Test
  void whatTakesNoTimeIsHandledAtOnceInLargeSlices() {
    SlowCodec codec = new SlowCodec("fast", 0);
    EmbeddedChannel channel = channel(HOSTILE, codec);

    channel.writeInbound(bytes(200_000));

    assertThat(codec.seen).hasSize(200_000);
    assertThat(order).hasSizeLessThan(15);
    assertThat(channel.config().isAutoRead()).isTrue();
  }

  @Test
  void clientsComeInTurnHoweverManyConnectionsOneHas() {
    List<EmbeddedChannel> flood = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      flood.add(channel(HOSTILE, new SlowCodec("hostile", 10 * MICROS)));
      flood.get(i).writeInbound(bytes(5_000));
    }
    SlowCodec codec = new SlowCodec("other", 10 * MICROS);
    channel(OTHER, codec).writeInbound(bytes(100));
    order.clear();

    while (order.size() < 2) {
      turn(flood.get(0));
    }

    assertThat(order.subList(0, 2)).containsExactly("hostile", "other");
    assertThat(codec.seen).hasSize(100);
  }

  @Test
  void whatComesWhileMoreWaitsStaysInOrder() {
    SlowCodec codec = new SlowCodec("slow", 10 * MICROS);
    EmbeddedChannel channel = channel(HOSTILE, codec);
    channel.writeInbound(bytes(2_000));
    channel.writeInbound(Unpooled.copiedBuffer("end", StandardCharsets.US_ASCII));

    while (codec.seen.length() < 2_003) {
      turn(channel);
    }

    assertThat(codec.seen.toString()).endsWith("789end");
  }

  @Test
  void aConnectionThatIsClosedGivesItsBytesBack() {
    SlowCodec codec = new SlowCodec("slow", 10 * MICROS);
    EmbeddedChannel channel = channel(HOSTILE, codec);
    ByteBuf read = bytes(5_000);
    channel.writeInbound(read);

    channel.close();
    int seen = codec.seen.length();
    turn(channel);

    assertThat(read.refCnt()).isZero();
    assertThat(codec.seen).hasSize(seen);
  }
}
