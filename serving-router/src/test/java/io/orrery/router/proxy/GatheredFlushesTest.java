package io.orrery.router.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.ReferenceCountUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Answers of one turn leave together, and none stays behind. */
class GatheredFlushesTest {
  private final Sent sent = new Sent();
  private final EmbeddedChannel channel = new EmbeddedChannel();

  GatheredFlushesTest() {
    channel.pipeline().addLast(sent);
    channel.pipeline().addLast("codec", new ChannelInboundHandlerAdapter());
    GatheredFlushes.on(channel, channel.pipeline().context("codec"));
  }

  /** Counts what comes through; an embedded channel would begin its next turn with each write. */
  private static final class Sent extends ChannelOutboundHandlerAdapter {
    private int writes;
    private int flushes;

    @Override
    public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
      writes++;
      ReferenceCountUtil.release(message);
      promise.trySuccess();
    }

    @Override
    public void flush(ChannelHandlerContext ctx) {
      flushes++;
    }
  }

  private void answer() {
    ChannelHandlerContext codec = channel.pipeline().context("codec");
    codec.write(Unpooled.wrappedBuffer(new byte[8]), codec.newPromise());
    codec.flush();
  }

  @AfterEach
  void end() {
    channel.finishAndReleaseAll();
  }

  @Test
  void sendsWhatIsWrittenInOneTurnAtItsEnd() {
    for (int i = 0; i < 5; i++) {
      answer();
    }
    assertThat(sent.flushes).isZero();

    channel.runPendingTasks();

    assertThat(sent.flushes).isEqualTo(1);
    assertThat(sent.writes).isEqualTo(5);
  }

  @Test
  void sendsWhatIsWrittenWhileItReadsWhenThatIsOver() {
    channel.pipeline().fireChannelRead(Unpooled.EMPTY_BUFFER);
    answer();
    answer();
    assertThat(sent.flushes).isZero();

    channel.pipeline().fireChannelReadComplete();

    assertThat(sent.flushes).isEqualTo(1);
    assertThat(sent.writes).isEqualTo(2);
  }

  @Test
  void letsNoMoreThanSixtyFourWait() {
    for (int i = 0; i < 64; i++) {
      answer();
    }

    assertThat(sent.flushes).isEqualTo(1);
  }

  @Test
  void sendsWhatWaitsBeforeItCloses() {
    answer();

    channel.pipeline().context("codec").close();

    assertThat(sent.writes).isEqualTo(1);
    assertThat(sent.flushes).isEqualTo(1);
  }
}
