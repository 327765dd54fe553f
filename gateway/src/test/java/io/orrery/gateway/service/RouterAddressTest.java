package io.orrery.gateway.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RouterAddressTest {
  private static RouterAddress router(int port, @Nullable String advertised) {
    return new RouterAddress(
        "example.com", () -> port, "127.0.0.1", advertised == null ? null : URI.create(advertised));
  }

  @Test
  void servicesAreReachedAtTheRouterOfTheServerUnlessAnotherIsAdvertised() {
    assertThat(router(8000, null).url("a.service.example.com"))
        .isEqualTo("http://a.service.example.com:8000/");
    assertThat(router(80, null).url("a.service.example.com"))
        .isEqualTo("http://a.service.example.com/");
    assertThat(router(8000, "https://example.com").url("a.service.example.com"))
        .isEqualTo("https://a.service.example.com/");
    assertThat(router(8000, "https://example.com:8443").url("a.service.example.com"))
        .isEqualTo("https://a.service.example.com:8443/");
  }

  /** Routers that follow a server refuse requests for what asks for a pass. */
  @Test
  void whatIsGuardedIsReachedAtTheRouterOfTheServer() {
    assertThat(router(8000, "https://example.com").guarded("lab.notebook.example.com"))
        .isEqualTo("http://lab.notebook.example.com:8000/");
  }
}
