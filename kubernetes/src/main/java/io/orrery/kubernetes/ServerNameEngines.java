package io.orrery.kubernetes;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.DelegatingSslContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.vertx.core.net.JdkSSLEngineOptions;
import io.vertx.core.spi.tls.DefaultSslContextFactory;
import io.vertx.core.spi.tls.SslContextFactory;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;

/**
 * TLS of connections to a server whose certificate has another name than its address: {@code
 * tls-server-name} of a kubeconfig. The name is sent in the handshake, and the certificate is
 * compared with it. Vert.x takes the name from the address, and for WebSockets from nowhere else.
 */
final class ServerNameEngines extends JdkSSLEngineOptions {
  private final String name;

  /**
   * @param name a host name that the certificate must have
   */
  ServerNameEngines(String name) {
    this.name = name;
  }

  @Override
  public ServerNameEngines copy() {
    return new ServerNameEngines(name);
  }

  @Override
  public SslContextFactory sslContextFactory() {
    return new DefaultSslContextFactory(SslProvider.JDK, false) {
      @Override
      public SslContext create() throws SSLException {
        return new Named(super.create(), name);
      }
    };
  }

  /** A context whose engines have the name in the place of the host that they are made for. */
  private static final class Named extends DelegatingSslContext {
    private final String name;

    Named(SslContext all, String name) {
      super(all);
      this.name = name;
    }

    @Override
    protected SslHandler newHandler(
        ByteBufAllocator allocator, String host, int port, boolean startTls, Executor executor) {
      return super.newHandler(allocator, name, port, startTls, executor);
    }

    @Override
    protected void initEngine(SSLEngine engine) {
      // Vert.x sets what else engines have.
    }
  }
}
