package io.orrery.router.proxy;

import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.OpenSslCachingX509KeyManagerFactory;
import io.netty.handler.ssl.SslContext;
import io.vertx.core.net.JdkSSLEngineOptions;
import io.vertx.core.net.OpenSSLEngineOptions;
import io.vertx.core.net.SSLEngineOptions;
import io.vertx.core.spi.tls.SslContextFactory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * The choice between BoringSSL, where its library loads, and the TLS of Java, for ports to which
 * clients come. {@code -Dio.netty.handler.ssl.noOpenSsl=true} keeps Java's.
 */
final class TlsEngine {
  private static final boolean NATIVE =
      OpenSSLEngineOptions.isAvailable() && OpenSSLEngineOptions.isAlpnAvailable();

  private TlsEngine() {}

  /** The engine of a port. */
  static SSLEngineOptions options() {
    return NATIVE ? new Shared(new WeakHashMap<>()) : new JdkSSLEngineOptions();
  }

  /** Keys that BoringSSL reads once, and not for each handshake. */
  static KeyManagerFactory cached(KeyManagerFactory keys) {
    return NATIVE ? new OpenSslCachingX509KeyManagerFactory(keys) : keys;
  }

  /**
   * An engine of BoringSSL with one context for each certificate. Vert.x asks for one with each new
   * name that a client indicates and keeps it for good, and those of a wildcard have no end.
   */
  private static final class Shared extends OpenSSLEngineOptions {
    private final Map<KeyManagerFactory, Map<Kind, SslContext>> contexts;

    Shared(Map<KeyManagerFactory, Map<Kind, SslContext>> contexts) {
      this.contexts = contexts;
    }

    @Override
    public OpenSSLEngineOptions copy() {
      return new Shared(contexts);
    }

    @Override
    public SslContextFactory sslContextFactory() {
      return new Factory(super.sslContextFactory(), contexts);
    }
  }

  /** The differences of contexts of one certificate. */
  private record Kind(boolean alpn, List<String> protocols) {}

  private static final class Factory implements SslContextFactory {
    private final SslContextFactory plain;
    private final Map<KeyManagerFactory, Map<Kind, SslContext>> contexts;
    private @Nullable KeyManagerFactory keys;
    private boolean alpn;
    private List<String> protocols = List.of();

    Factory(SslContextFactory plain, Map<KeyManagerFactory, Map<Kind, SslContext>> contexts) {
      this.plain = plain;
      this.contexts = contexts;
    }

    @Override
    public SslContextFactory useAlpn(boolean use) {
      alpn = use;
      plain.useAlpn(use);
      return this;
    }

    @Override
    public SslContextFactory clientAuth(ClientAuth auth) {
      plain.clientAuth(auth);
      return this;
    }

    @Override
    public SslContextFactory forClient(boolean client) {
      plain.forClient(client);
      return this;
    }

    @Override
    public SslContextFactory keyMananagerFactory(KeyManagerFactory factory) {
      keys = factory;
      plain.keyMananagerFactory(factory);
      return this;
    }

    @Override
    public SslContextFactory trustManagerFactory(TrustManagerFactory trust) {
      plain.trustManagerFactory(trust);
      return this;
    }

    @Override
    public SslContextFactory enabledCipherSuites(Set<String> suites) {
      plain.enabledCipherSuites(suites);
      return this;
    }

    @Override
    public SslContextFactory applicationProtocols(List<String> names) {
      protocols = names == null ? List.of() : List.copyOf(names);
      plain.applicationProtocols(names);
      return this;
    }

    @Override
    public SslContextFactory serverName(String name) {
      plain.serverName(name);
      return this;
    }

    @Override
    public SslContext create() throws SSLException {
      KeyManagerFactory own = keys;
      if (own == null) {
        return plain.create();
      }
      Kind kind = new Kind(alpn, protocols);
      synchronized (contexts) {
        Map<Kind, SslContext> known = contexts.computeIfAbsent(own, added -> new HashMap<>(2));
        SslContext context = known.get(kind);
        if (context == null) {
          context = plain.create();
          known.put(kind, context);
        }
        return context;
      }
    }
  }
}
