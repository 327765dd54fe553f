package io.orrery.router.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.router.route.RouterFile;
import io.orrery.router.run.Router;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

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

    try (RawClient raw = new RawClient(router.port())) {
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

    try (RawClient raw = new RawClient(router.port())) {
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

  private Router behind(String services) {
    RouterFile.Address any = new RouterFile.Address("127.0.0.1", 0);
    RouterFile.Listen listen = new RouterFile.Listen(any, 1, List.of(), fastPath, false);
    return opened(Router.start(listen, table(services), null, null));
  }

  private static String over(Router next) {
    return "  - {name: a, protocol: h2c, endpoints: [\"127.0.0.1:" + next.port() + "\"]}\n";
  }
}
