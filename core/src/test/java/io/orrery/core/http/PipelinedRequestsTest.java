package io.orrery.core.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A connection is not read while many of its requests wait for their turn. */
class PipelinedRequestsTest {
  private final EmbeddedChannel channel =
      new EmbeddedChannel(new HttpRequestDecoder(), new HttpResponseEncoder());

  @BeforeEach
  void watch() {
    StrictRequests.watch(channel.pipeline());
  }

  @AfterEach
  void close() {
    channel.finishAndReleaseAll();
  }

  private void ask(int requests) {
    String text = "GET / HTTP/1.1\r\nHost: a\r\n\r\n".repeat(requests);
    channel.writeInbound(Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII));
  }

  private void answer(int requests) {
    for (int i = 0; i < requests; i++) {
      HttpResponse answer =
          new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
      answer.headers().set(HttpHeaderNames.CONTENT_LENGTH, 0);
      channel.writeOutbound(answer);
    }
  }

  private boolean isRead() {
    return channel.config().isAutoRead();
  }

  @Test
  void sixteenMayWait() {
    for (int i = 0; i < 100; i++) {
      ask(16);
      assertThat(isRead()).isTrue();
      answer(16);
    }
  }

  @Test
  void whileMoreWaitItIsNotReadUntilHalfOfThemAreAnswered() {
    ask(17);
    assertThat(isRead()).isFalse();
    answer(8);
    assertThat(isRead()).isFalse();
    answer(1);
    assertThat(isRead()).isTrue();
    answer(8);
    assertThat(isRead()).isTrue();
  }

  @Test
  void whatIsReadAllTheSameStopsTheReadingAgain() {
    ask(20);
    channel.config().setAutoRead(true); // as a body that is resumed does
    ask(1);
    assertThat(isRead()).isFalse();
    answer(21);
    assertThat(isRead()).isTrue();
  }

  @Test
  void interimAnswersAnswerNothing() {
    ask(17);
    for (int i = 0; i < 17; i++) {
      channel.writeOutbound(
          new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE));
    }
    assertThat(isRead()).isFalse();
  }

  @Test
  void anotherProtocolIsReadAtOnce() {
    ask(17);
    channel.writeOutbound(
        new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.SWITCHING_PROTOCOLS));
    assertThat(isRead()).isTrue();
  }

  @Test
  void aConnectionThatOthersHoldIsNotReadByAnAnswer() {
    ask(2);
    channel.config().setAutoRead(false);
    answer(2);
    assertThat(isRead()).isFalse();
  }
}
