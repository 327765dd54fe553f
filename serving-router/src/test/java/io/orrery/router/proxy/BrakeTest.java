package io.orrery.router.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http2.DefaultHttp2Connection;
import io.netty.util.ReferenceCountUtil;
import io.orrery.router.policy.WorkTurns;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BrakeTest {
  private final AtomicLong now = new AtomicLong();
  private final PacedFrames frames = new PacedFrames(new WorkTurns(now::get), "10.0.0.1");
  private final Brake brake = new Brake(frames);
  private int reads;
  private int seen;

  /** Counts what the connection is asked to read. */
  private final class Connection extends ChannelOutboundHandlerAdapter {
    @Override
    public void read(ChannelHandlerContext ctx) {
      reads++;
      ctx.read();
    }
  }

  /** Takes a millisecond for each piece, and reads on by itself, as Netty's codec does. */
  private final class Codec extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      now.addAndGet(TimeUnit.MILLISECONDS.toNanos(1));
      seen += ((ByteBuf) message).readableBytes();
      ReferenceCountUtil.release(message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
      ctx.read();
    }
  }

  private final EmbeddedChannel channel =
      new EmbeddedChannel(new Connection(), brake, frames, new Codec());

  @BeforeEach
  void limit() {
    channel.freezeTime();
    channel.config().setWriteBufferWaterMark(new WriteBufferWaterMark(10, 100));
  }

  @AfterEach
  void close() {
    channel.finishAndReleaseAll();
  }

  private static ByteBuf bytes(int count) {
    return Unpooled.wrappedBuffer(new byte[count]);
  }

  @Test
  void nothingIsReadWhileTheClientTakesNoAnswers() {
    channel.write(bytes(200));
    assertThat(channel.config().isAutoRead()).isFalse();
    reads = 0;

    channel.writeInbound(bytes(10));
    channel.read();
    assertThat(seen).isEqualTo(10);
    assertThat(reads).isZero();

    channel.flush();
    assertThat(channel.config().isAutoRead()).isTrue();
    assertThat(reads).isPositive();
  }

  @Test
  void anEndedConnectionIsReadOnToItsEndThoughFramesWaited() {
    channel.writeInbound(bytes(5_000));
    assertThat(channel.config().isAutoRead()).isFalse();
    int before = seen;

    brake.end(channel, new DefaultHttp2Connection(true), false);

    assertThat(channel.config().isAutoRead()).isTrue();
    channel.writeInbound(bytes(100));
    assertThat(seen).isEqualTo(before);
  }

  @Test
  void aFloodIsNotReadOn() {
    channel.writeInbound(bytes(5_000));
    reads = 0;

    brake.end(channel, new DefaultHttp2Connection(true), true);
    channel.advanceTimeBy(1, TimeUnit.MICROSECONDS);
    channel.runScheduledPendingTasks();

    assertThat(channel.config().isAutoRead()).isFalse();
    assertThat(reads).isZero();
  }
}
