package io.orrery.router.proxy;

import io.orrery.router.route.RouterFile.Tls;
import java.util.List;

/** The ways that requests of tests take through the router. */
enum Way {
  GENERAL,
  BYTES,
  BYTES_OVER_TLS;

  boolean fastPath() {
    return this != GENERAL;
  }

  boolean overTls() {
    return this == BYTES_OVER_TLS;
  }

  /** The scheme of its requests. */
  String scheme() {
    return overTls() ? "https" : "http";
  }

  /** The certificates of its port. */
  List<Tls> certificates() {
    return overTls() ? List.of(TestCertificates.any()) : List.of();
  }
}
