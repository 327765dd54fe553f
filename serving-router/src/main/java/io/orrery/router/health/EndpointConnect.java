package io.orrery.router.health;

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.router.route.EndpointTls;
import io.orrery.router.route.RouteTable;
import io.orrery.router.route.Service;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpConnectOptions;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.SocketAddress;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;

/** The ways to connect to an endpoint: of Vert.x, and of a channel that is not Vert.x's. */
public final class EndpointConnect {
  private static final String[] VERSIONS = {"TLSv1.3", "TLSv1.2"};

  /** Those in use, by what they were made from: many services and tables share one. */
  private static final Map<EndpointTls, SslContext> CONTEXTS = new WeakHashMap<>();

  private EndpointConnect() {}

  /**
   * Makes the options of Vert.x: its address, and its TLS.
   *
   * @param patience how long it may take
   */
  public static HttpConnectOptions to(EndpointState endpoint, Duration patience) {
    String host = endpoint.address().host();
    int port = endpoint.address().port();
    EndpointTls tls = endpoint.tls();
    HttpConnectOptions options =
        new HttpConnectOptions()
            .setServer(SocketAddress.inetSocketAddress(port, host))
            .setHost(tls == null || tls.serverName() == null ? host : tls.serverName())
            .setPort(port)
            .setConnectTimeout(Math.max(1, patience.toMillis()));
    return tls == null ? options : options.setSsl(true).setSslOptions(ssl(tls, patience));
  }

  /**
   * Makes what the channels to the endpoints of a table need. Reads files; not for an event loop.
   *
   * @throws ProblemException when the TLS of some endpoints cannot be set up
   */
  public static void prepare(RouteTable table) {
    for (Service service : table.services()) {
      EndpointTls tls = service.tls();
      if (tls != null) {
        context(tls);
      }
    }
  }

  /** The TLS of a channel. */
  static SslContext context(EndpointTls tls) {
    synchronized (CONTEXTS) {
      SslContext known = CONTEXTS.get(tls);
      if (known == null) {
        known = build(tls);
        CONTEXTS.put(tls, known);
      }
      return known;
    }
  }

  private static SslContext build(EndpointTls tls) {
    String authority = tls.authority();
    SslContextBuilder builder =
        SslContextBuilder.forClient()
            .protocols(VERSIONS)
            .endpointIdentificationAlgorithm(tls.verify() ? "HTTPS" : null);
    if (!tls.verify()) {
      builder.trustManager(InsecureTrustManagerFactory.INSTANCE);
    } else if (authority != null) {
      builder.trustManager(new ByteArrayInputStream(authority.getBytes(StandardCharsets.US_ASCII)));
    }
    try {
      return builder.build();
    } catch (SSLException e) {
      throw new Problem.Broken("could not set up the TLS of endpoints: " + e).toException();
    }
  }

  private static ClientSSLOptions ssl(EndpointTls tls, Duration patience) {
    ClientSSLOptions options =
        new ClientSSLOptions()
            .setSslHandshakeTimeout(Math.max(1, patience.toMillis()))
            .setSslHandshakeTimeoutUnit(TimeUnit.MILLISECONDS)
            .setTrustAll(!tls.verify())
            .setHostnameVerificationAlgorithm(tls.verify() ? "HTTPS" : "");
    String authority = tls.authority();
    return authority == null
        ? options
        : options.setTrustOptions(new PemTrustOptions().addCertValue(Buffer.buffer(authority)));
  }
}
