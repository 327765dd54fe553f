package io.orrery.router.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.orrery.core.access.OriginPasses;
import io.orrery.core.time.VirtualClock;
import io.orrery.router.health.LiveTable;
import io.orrery.router.health.ServiceState;
import io.orrery.router.policy.PassGuard;
import io.orrery.router.route.ClientAddress;
import io.orrery.router.route.RouteReader;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Tests what an endpoint gets of the head of a request that is rewritten. */
class HeadWriterTest {
  private static final String ADDED =
      "x-forwarded-for: 192.0.2.7\r\nx-forwarded-proto: http\r\nx-forwarded-host: a\r\n"
          + "forwarded: for=192.0.2.7;proto=http;host=a\r\nvia: 1.1 orrery\r\n";

  private final OriginPasses passes = new OriginPasses(new byte[32]);
  private final PassGuard guard = new PassGuard(passes, new VirtualClock(Instant.EPOCH));
  private final LiveTable table =
      LiveTable.of(
          RouteReader.read(
              """
              services:
                - {name: lab, endpoints: ["127.0.0.1:1"], access: {audience: lab}}
                - {name: told, endpoints: ["127.0.0.1:1"], access: {audience: told},
                   inject: {authorization: derived}, path: {strip: /told}}
                - {name: open, endpoints: ["127.0.0.1:1"]}
              """,
              "example.com"),
          1);
  private final RequestHead head = new RequestHead();

  private ServiceState service(int place) {
    return table.states().get(place);
  }

  private String token() {
    return "token " + passes.token("told");
  }

  /** As an endpoint of the service gets it; null when it is not understood. */
  private String written(ServiceState service, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    if (head.read(bytes, bytes.length) < 0) {
      return null;
    }
    ByteBuf out =
        HeadWriter.rewritten(
            UnpooledByteBufAllocator.DEFAULT,
            head,
            service,
            guard,
            ForwardedHeaders.ofHttp1(ClientAddress.of("192.0.2.7"), "http", "a"),
            0);
    String told = out.toString(StandardCharsets.ISO_8859_1);
    out.release();
    return told;
  }

  @Test
  void whatIsThePlatformsStaysOfEveryCookieLine() {
    assertThat(service(2).rewrites()).isFalse();
    assertThat(
            written(
                service(0),
                "GET /x HTTP/1.1\r\nHost: a\r\nCookie: a=1; orrery_session=s\r\nX: 1\r\n"
                    + "cookie: orrery_pass_lab=p;b=2 ; orrery_pass_other=q\r\n"
                    + "COOKIE: orrery_session=t\r\nAuthorization: mine\r\n\r\n"))
        .isEqualTo(
            "GET /x HTTP/1.1\r\nHost: a\r\nX: 1\r\nAuthorization: mine\r\n"
                + ADDED
                + "cookie: a=1\r\ncookie: b=2\r\n\r\n");
    assertThat(
            written(service(0), "GET / HTTP/1.1\r\nHost: a\r\nCookie: orrery_pass_lab=p\r\n\r\n"))
        .isEqualTo("GET / HTTP/1.1\r\nHost: a\r\n" + ADDED + "\r\n");
  }

  @Test
  void theTokenOfTheWorkloadReplacesEveryAuthorizationAndThePathLosesItsPrefix() {
    String told = "authorization: " + token() + "\r\n";
    assertThat(
            written(
                service(1),
                "POST /told/x?y=/told HTTP/1.1\r\nAuthorization: one\r\nHost: a\r\n"
                    + "X-Forwarded-Prefix: /evil\r\naUTHORIZATION: two\r\nContent-Length: 0\r\n\r\n"))
        .isEqualTo(
            "POST /x?y=/told HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n"
                + ADDED
                + "x-forwarded-prefix: /told\r\n"
                + told
                + "\r\n");
    assertThat(written(service(1), "GET /tolder HTTP/1.1\r\nHost: a\r\n\r\n"))
        .isEqualTo("GET /tolder HTTP/1.1\r\nHost: a\r\n" + ADDED + told + "\r\n");
  }

  /**
   * Of twenty thousand heads, sound ones with some bytes changed, doubled or left out, those that
   * are understood: the codec finds no cookie of the platform in what is written, one
   * Authorization, and one request.
   */
  @Test
  void noSpellingOfACookieComesThrough() {
    Random random = new Random(39);
    int understood = 0;
    for (int i = 0; i < 20_000; i++) {
      String text = mutant(random);
      String told = written(service(1), text);
      if (told != null) {
        understood++;
        check(text, told);
      }
    }
    assertThat(understood).isBetween(2_000, 18_000);
  }

  private void check(String text, String told) {
    EmbeddedChannel codec = new EmbeddedChannel(new HttpRequestDecoder());
    codec.writeInbound(Unpooled.copiedBuffer(told, StandardCharsets.ISO_8859_1));
    HttpRequest request = codec.readInbound();
    assertThat(request.decoderResult().isSuccess()).as(text).isTrue();
    for (String line : request.headers().getAll("Cookie")) {
      for (String pair : line.split(";")) {
        assertThat(pair.strip())
            .as(text)
            .doesNotMatch("(?s)orrery_session\\s*=.*")
            .doesNotMatch("(?s)orrery_pass_[^=]*=.*");
      }
    }
    List<String> authorizations = request.headers().getAll("Authorization");
    assertThat(authorizations).as(text).containsExactly(token());
    assertThat(codec.<Object>readInbound()).as(text).isNotInstanceOf(HttpRequest.class);
    codec.finishAndReleaseAll();
  }

  private static String mutant(Random random) {
    StringBuilder text =
        new StringBuilder(
            "GET /told/x HTTP/1.1\r\nHost: a\r\nCookie: a=1; orrery_session=s; b=2\r\n"
                + "Authorization: mine\r\ncookie: orrery_pass_told=p;orrery_session=t\r\n\r\n");
    String odd = "\r\n\t :;,=\"\\\u0000\u000b\u007f\u0080aC_";
    for (int i = random.nextInt(4); i > 0; i--) {
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
