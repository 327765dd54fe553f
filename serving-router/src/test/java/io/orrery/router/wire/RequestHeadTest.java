package io.orrery.router.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests what is understood as the head of a request, and that the other way understands the same.
 */
class RequestHeadTest {
  private static final String PLAIN =
      "POST /v2/models?x=1 HTTP/1.1\r\nHost: a.example.com:80\r\nX-A: 1\r\nContent-Length: 5\r\n\r\n";

  private final RequestHead head = new RequestHead();

  private int read(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    return head.read(bytes, bytes.length);
  }

  @Test
  void aPlainHeadIsUnderstood() {
    assertThat(read(PLAIN + "hello")).isEqualTo(PLAIN.length());
    assertThat(head.method()).isEqualTo("POST");
    assertThat(head.path()).isEqualTo("/v2/models");
    assertThat(head.length()).isEqualTo(5);
    assertThat(head.idempotent()).isFalse();
    assertThat(head.closes()).isFalse();
    assertThat(head.header("x-a")).isEqualTo("1");
    assertThat(head.header("x-b")).isNull();
  }

  @Test
  void everyBeginningOfItIsIncomplete() {
    for (int i = 0; i < PLAIN.length(); i++) {
      assertThat(read(PLAIN.substring(0, i))).as("%s bytes", i).isEqualTo(MessageHead.INCOMPLETE);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {129, 8_000})
  void ofTooManyFieldsOnlyTheFirstAndOneMoreAreLeftToTheOtherWay(int fields) {
    String line = "GET / HTTP/1.1\r\n";
    String text = line + "X: y\r\n".repeat(fields) + "\r\nGET /behind HTTP/1.1\r\n";
    assertThat(read(text)).isEqualTo(MessageHead.ODD);

    ByteBuf in = Unpooled.copiedBuffer(text, StandardCharsets.ISO_8859_1);
    ByteBuf left = head.forVertx(in);
    assertThat(left.toString(StandardCharsets.ISO_8859_1))
        .isEqualTo(line + "X: y\r\n".repeat(128) + "x-more:\r\n\r\n");
    assertThat(in.isReadable()).isFalse();
    left.release();
    assertThat(in.refCnt()).isOne();
    in.release();
  }

  @Test
  void allOfAnotherHeadIsLeftToTheOtherWay() {
    read("GET / HTTP/1.1\r\n" + "X: y\r\n".repeat(129) + "\r\n");
    String odd = "GET / HTTP/1.1\r\n" + "X: y\r\n".repeat(128) + "X : y\r\n\r\nbehind";
    assertThat(read(odd)).isEqualTo(MessageHead.ODD);

    ByteBuf in = Unpooled.copiedBuffer(odd, StandardCharsets.ISO_8859_1);
    ByteBuf left = head.forVertx(in);
    assertThat(left.toString(StandardCharsets.ISO_8859_1)).isEqualTo(odd);
    left.release();
    in.release();
  }

  @Test
  void cookiesAreFoundInAllTheirLines() {
    read("GET / HTTP/1.1\r\nHost: a\r\nCookie: a=1; b=2\r\ncookie: c=3\r\n\r\n");
    assertThat(head.cookie("b")).isEqualTo("2");
    assertThat(head.cookie("c")).isEqualTo("3");
    assertThat(head.cookie("d")).isNull();
  }

  @Test
  void theGuardSeesEveryCookieLineAndWhatIsForTheEyesOfAPerson() {
    read("GET /a?b HTTP/1.1\r\nHost: a\r\nCookie: a=1\r\nX: 1\r\ncOOKIE:\tb=2 \r\n\r\n");
    assertThat(head.uri()).isEqualTo("/a?b");
    assertThat(head.cookies()).containsExactly("a=1", "b=2");
    assertThat(head.origin()).isNull();
    assertThat(head.takesPages()).isFalse();
    read(
        "GET / HTTP/1.1\r\nHost: a\r\nOrigin: http://b\r\nOrigin: http://c\r\nAccept: */*\r\n"
            + "Accept: text/html\r\n\r\n");
    assertThat(head.cookies()).isEmpty();
    assertThat(head.origin()).isEqualTo("http://b");
    assertThat(head.takesPages()).isTrue();
    read("POST / HTTP/1.1\r\nHost: a\r\nAccept: text/html\r\n\r\n");
    assertThat(head.takesPages()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "PRI * HTTP/2.0\r\n\r\n",
        "GET / HTTP/1.0\r\nHost: a\r\n\r\n",
        "CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET http://a/ HTTP/1.1\r\nHost: a\r\n\r\n",
        "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n",
        "\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET  / HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET / HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nX: 1\r\n folded\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nX : 1\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\nX: 1\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nConnection: close, x\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nTE: trailers\r\n\r\n",
        "GET /\u00e4 HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nX: \u0001\r\n\r\n"
      })
  void whatNeedsASecondThoughtIsNot(String text) {
    assertThat(read(text)).isEqualTo(MessageHead.ODD);
  }

  /**
   * A hundred thousand heads, each a sound one with some bytes changed, doubled or left out. Of
   * each that is understood here Netty's codec, which reads for the other way, must have the same
   * idea: of where it ends, of every field, of how long the body is.
   */
  @Test
  void whatIsUnderstoodIsUnderstoodByTheCodecInTheSameWay() {
    Random random = new Random(6);
    int understood = 0;
    for (int i = 0; i < 100_000; i++) {
      String text = mutant(random);
      int end = read(text);
      if (end >= 0) {
        understood++;
        compare(text, end);
      }
    }
    assertThat(understood).isBetween(10_000, 90_000);
  }

  private void compare(String text, int end) {
    EmbeddedChannel codec = new EmbeddedChannel(new HttpRequestDecoder());
    codec.writeInbound(Unpooled.copiedBuffer(text.substring(0, end), StandardCharsets.ISO_8859_1));
    HttpRequest request = codec.readInbound();
    assertThat(request).as(text).isNotNull();
    assertThat(request.decoderResult().isSuccess()).as(text).isTrue();
    assertThat(request.protocolVersion()).as(text).isEqualTo(HttpVersion.HTTP_1_1);
    assertThat(request.method().name()).as(text).isEqualTo(head.method());
    assertThat(request.uri()).as(text).startsWith(head.path());
    List<Map.Entry<String, String>> fields = request.headers().entries();
    assertThat(fields).as(text).hasSize(head.count());
    for (int i = 0; i < fields.size(); i++) {
      assertThat(fields.get(i).getValue()).as(text).isEqualTo(head.text(i));
    }
    assertThat(request.headers().getAll("host")).as(text).hasSize(1);
    assertThat(
            request.headers().getAll("content-length").size()
                + request.headers().getAll("transfer-encoding").size())
        .as(text)
        .isLessThanOrEqualTo(1);
    String length = request.headers().get("content-length");
    long expected =
        request.headers().contains("transfer-encoding")
            ? RequestHead.CHUNKED
            : length == null ? 0 : Long.parseLong(length);
    assertThat(head.length()).as(text).isEqualTo(expected);
    // The codec reads the body from the very byte after it.
    if (expected > 0) {
      Object more = codec.readInbound();
      assertThat(more).as(text).isNull();
    }
    codec.finishAndReleaseAll();
    ReferenceCountUtil.release(request);
  }

  private static String mutant(Random random) {
    String[] lines = {
      "Content-Length: " + random.nextInt(12),
      "Transfer-Encoding: chunked",
      "Connection: " + (random.nextBoolean() ? "close" : "keep-alive"),
      "X-Forwarded-For: 1.2.3.4",
      "Accept: */*",
      "X-Long: " + "y".repeat(random.nextInt(40)),
      "Host: b"
    };
    StringBuilder text = new StringBuilder("GET /a?b=c HTTP/1.1\r\nHost: a.example.com\r\n");
    for (String line : lines) {
      if (random.nextInt(5) == 0) {
        text.append(line).append("\r\n");
      }
    }
    text.append("\r\n");
    String odd = "\r\n\t :;,\u0000\u000b\u007f\u0080\u00ff\"aG/1";
    for (int i = random.nextInt(3); i > 0; i--) {
      int at = random.nextInt(text.length());
      char other = odd.charAt(random.nextInt(odd.length()));
      switch (random.nextInt(4)) {
        case 0 -> text.setCharAt(at, other);
        case 1 -> text.insert(at, other);
        case 2 -> text.deleteCharAt(at);
        default -> text.insert(at, text.charAt(at));
      }
    }
    return text.toString();
  }
}
