package io.orrery.router.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/**
 * Tests heads with thousands of fields. Over TLS a client that goes on sending may not get to read
 * why it is refused.
 */
class ManyFieldsIT extends RouterIT {
  @Test
  void aHeadOfThousandsOfFieldsIsRefusedAndWhatIsBehindItIsNoRequest() throws Exception {
    Upstream upstream =
        opened(Upstream.start(vertx, request -> request.response().end(request.path())));
    route("  - {name: a, endpoints: [\"" + upstream.address() + "\"]}\n");
    String host = "Host: a.service.orrery.localhost\r\n";

    try (RawClient raw = raw()) {
      raw.write(
          "GET / HTTP/1.1\r\n"
              + host
              + "X: y\r\n".repeat(8_000)
              + "\r\nGET /behind HTTP/1.1\r\n"
              + host
              + "\r\n");
      assertThat(raw.answer()).startsWith("HTTP/1.1 431").contains("128 header fields");
      assertThat(raw.rest()).isEmpty();
    }
    assertThat(upstream.requests()).isZero();
  }
}
