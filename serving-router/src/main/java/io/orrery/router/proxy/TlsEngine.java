package io.orrery.router.proxy;

import io.netty.handler.ssl.OpenSslCachingX509KeyManagerFactory;
import io.vertx.core.net.JdkSSLEngineOptions;
import io.vertx.core.net.OpenSSLEngineOptions;
import io.vertx.core.net.SSLEngineOptions;
import javax.net.ssl.KeyManagerFactory;

/**
 * The choice between BoringSSL, where its library loads, and the TLS of Java. {@code
 * -Dio.netty.handler.ssl.noOpenSsl=true} keeps Java's.
 */
final class TlsEngine {
  private static final boolean NATIVE =
      OpenSSLEngineOptions.isAvailable() && OpenSSLEngineOptions.isAlpnAvailable();

  private TlsEngine() {}

  /** The engine of ports and of connections to endpoints. */
  static SSLEngineOptions options() {
    return NATIVE ? new OpenSSLEngineOptions() : new JdkSSLEngineOptions();
  }

  /** Keys that BoringSSL reads once, and not for each handshake. */
  static KeyManagerFactory cached(KeyManagerFactory keys) {
    return NATIVE ? new OpenSslCachingX509KeyManagerFactory(keys) : keys;
  }
}
