package io.orrery.router.proxy;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orrery.router.route.RouterFile;
import io.orrery.router.run.Router;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Fields that follow the body of a request. */
class TrailersIT extends RouterIT {
  private static final String REQUEST =
      "POST /c HTTP/1.1\r\nHost: a.service.orrery.localhost\r\nTransfer-Encoding: chunked\r\n";
  private static final String ANSWER = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

  /** What endpoints have been told, in pieces that end with an empty line. */
  private final List<String> seen = new CopyOnWriteArrayList<>();

  /** Answers when a body has come. */
  private RawEndpoint endpoint() throws Exception {
    return opened(
        new RawEndpoint(told -> {
          seen.add(told);
          return told.startsWith("POST") ? "" : ANSWER;
        }));
  }

  @Test
  void theyPassButForThoseThatBelongToTheHead() throws Exception {
    route("  - {name: a, endpoints: [\"" + endpoint().address() + "\"]}\n");

    try (RawClient raw = raw()) {
      for (int i = 0; i < 2; i++) {
        seen.clear();
        raw.write(
            REQUEST
                + "Trailer: X-Sum\r\n\r\n"
                + "3\r\nabc\r\n0\r\n"
                + "X-Sum: 7\r\n"
                + "Authorization: Basic x\r\n"
                + "X-Forwarded-For: 9.9.9.9\r\n"
                + "X_Forwarded_Host: elsewhere\r\n"
                + "Content_Type: text/html\r\n"
                + "X-Other: a b\r\n\r\n");
        assertThat(raw.answer()).startsWith("HTTP/1.1 200").endsWith("ok");
        assertThat(seen).hasSize(2);
        assertThat(seen.get(1).toLowerCase(Locale.ROOT))
            .isEqualTo("3\r\nabc\r\n0\r\nx-sum: 7\r\nx-other: a b\r\n\r\n");
      }
      seen.clear();
      raw.write(REQUEST + "\r\n3\r\nabc\r\n0\r\n\r\n");
      assertThat(raw.answer()).startsWith("HTTP/1.1 200");
      assertThat(seen.get(1)).isEqualTo("3\r\nabc\r\n0\r\n\r\n");
    }
  }

  @Test
  void theyPassFromEachVersionToEach() throws Exception {
    Router last = behind("  - {name: a, endpoints: [\"" + endpoint().address() + "\"]}\n");
    Router middle = behind(over(last));
    route(over(middle));
    String body = "x".repeat(300_000);

    try (RawClient raw = raw()) {
      for (String piece : List.of("abc", body)) {
        for (int i = 0; i < 3; i++) {
          seen.clear();
          String chunk = Integer.toHexString(piece.length()) + "\r\n" + piece + "\r\n";
          raw.write(REQUEST + "\r\n" + chunk + "0\r\nX-Sum: 7\r\n\r\n");
          assertThat(raw.answer()).startsWith("HTTP/1.1 200").endsWith("ok");
          assertThat(seen.getLast()).endsWith("\r\n0\r\nx-sum: 7\r\n\r\n");
        }
      }
    }
    assertThat(metric("orrery_router_refusals_total")).isZero();
    assertThat(metric("orrery_router_abandoned_total")).isZero();
  }

  /** E9: fields that control or frame a message are none of its trailers. */
  @ParameterizedTest
  @CsvSource({
    "Content-Length: 50;Set-Cookie: a=b;X-Sum: 7;transfer-encoding: gzip, x-sum: 7;",
    "X-Sum: 7;grpc-status: 0, x-sum: 7;grpc-status: 0;",
    "Set-Cookie: a=b;Location: /x;Content_Length: 5, ''",
    "'', ''"
  })
  void ofAnAnswerOnlyThoseThatMayPassDo(String sent, String passed) throws Exception {
    String answer =
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n"
            + lines(sent)
            + "\r\n";
    RawEndpoint endpoint = opened(new RawEndpoint(told -> answer));
    route("  - {name: a, endpoints: [\"" + endpoint.address() + "\"]}\n");

    try (RawClient raw = raw()) {
      for (int i = 0; i < 2; i++) {
        String expected = "3\r\nabc\r\n0\r\n" + lines(passed) + "\r\n";
        raw.write("GET / HTTP/1.1\r\nHost: a.service.orrery.localhost\r\n\r\n");
        assertThat(raw.head()).startsWith("HTTP/1.1 200");
        assertThat(raw.some(expected.length()).toLowerCase(Locale.ROOT)).isEqualTo(expected);
      }
    }
  }

  private static String lines(String fields) {
    return fields == null
        ? ""
        : fields.replace(";", "\r\n") + (fields.isEmpty() || fields.endsWith(";") ? "" : "\r\n");
  }

  /** E9: however the bytes of the trailers come. */
  @Test
  void trailersThatComeInPiecesAreReadAsOne() throws Exception {
    CountDownLatch half = new CountDownLatch(1);
    try (ServerSocket endpoint = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      route("  - {name: a, endpoints: [\"127.0.0.1:" + endpoint.getLocalPort() + "\"]}\n");
      Thread.ofVirtual()
          .start(() -> {
            try (Socket asked = endpoint.accept()) {
              OutputStream out = asked.getOutputStream();
              out.write(
                  ascii(
                      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                          + "3\r\nabc\r\n0\r\nSet-Coo"));
              half.await();
              out.write(ascii("kie: a=b\r\nX-Sum: 7\r\n\r\n"));
              assertThat(asked.getInputStream().transferTo(OutputStream.nullOutputStream()))
                  .isPositive();
            } catch (IOException | InterruptedException e) {
              throw new IllegalStateException(e);
            }
          });

      try (RawClient raw = raw()) {
        raw.write("GET / HTTP/1.1\r\nHost: a.service.orrery.localhost\r\n\r\n");
        assertThat(raw.head()).startsWith("HTTP/1.1 200");
        assertThat(raw.some(8)).isEqualTo("3\r\nabc\r\n");
        half.countDown();
        assertThat(raw.some(15).toLowerCase(Locale.ROOT)).isEqualTo("0\r\nx-sum: 7\r\n\r\n");
      }
    }
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** E9: a copy is the whole request. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void copiesHaveThem(boolean http2) throws Exception {
    List<String> copied = new CopyOnWriteArrayList<>();
    RawEndpoint shadow =
        opened(
            new RawEndpoint(told -> {
              copied.add(told);
              return told.startsWith("POST") ? "" : ANSWER;
            }));
    String b =
        http2
            ? over(behind("  - {name: a, endpoints: [\"" + shadow.address() + "\"]}\n"))
                .replace("name: a", "name: b")
            : "  - {name: b, endpoints: [\"" + shadow.address() + "\"]}\n";
    route("  - {name: a, endpoints: [\"" + endpoint().address() + "\"], mirror: \"b:100%\"}\n" + b);

    try (RawClient raw = raw()) {
      raw.write(REQUEST + "\r\n3\r\nabc\r\n0\r\nX-Sum: 7\r\nExpires: 0\r\n\r\n");
      assertThat(raw.answer()).startsWith("HTTP/1.1 200").endsWith("ok");
    }
    await().atMost(10, SECONDS).until(() -> copied.size() == 2);
    assertThat(copied.getFirst().toLowerCase(Locale.ROOT))
        .contains("transfer-encoding: chunked")
        .doesNotContain("content-length");
    assertThat(copied.getLast().toLowerCase(Locale.ROOT))
        .isEqualTo("3\r\nabc\r\n0\r\nx-sum: 7\r\n\r\n");
  }

  private Router behind(String services) {
    RouterFile.Address any = new RouterFile.Address("127.0.0.1", 0);
    RouterFile.Listen listen = new RouterFile.Listen(any, 1, List.of(), fastPath, false);
    return opened(Router.start(listen, table(services), null, null));
  }

  private static String over(Router next) {
    return "  - {name: a, protocol: h2c, endpoints: [\"127.0.0.1:" + next.port() + "\"]}\n";
  }
}
