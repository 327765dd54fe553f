package io.orrery.gateway.cluster;

import io.orrery.core.problem.Problem;
import io.orrery.core.tls.TlsMaterial;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.EventBusOptions;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.ServerSSLOptions;
import java.lang.reflect.Field;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * TLS of the bus between servers, where both sides show a certificate. Vert.x copies the options of
 * the bus as JSON, which has no place for certificates that change, so both ends are given these
 * once the bus has started.
 */
final class BusTls {
  private static final Set<String> PROTOCOLS = Set.of("TLSv1.3");
  private static final long PATIENCE_SECONDS = 30;

  private BusTls() {}

  /** Has the bus begin with the certificates of now. */
  static void protect(EventBusOptions bus, TlsMaterial tls) {
    bus.setSsl(true)
        .setEnabledSecureTransportProtocols(PROTOCOLS)
        .setClientAuth(ClientAuth.REQUIRED)
        .setKeyCertOptions(tls.pemKeyCertOptions())
        .setTrustOptions(tls.pemTrustOptions());
  }

  /** Has it go on with the newest ones. */
  static void follow(Vertx vertx, TlsMaterial tls) throws TimeoutException {
    ServerSSLOptions listening = new ServerSSLOptions();
    listening.setClientAuth(ClientAuth.REQUIRED);
    listening.setEnabledSecureTransportProtocols(PROTOCOLS);
    listening.setKeyCertOptions(tls.keyCertOptions());
    listening.setTrustOptions(tls.trustOptions());
    ClientSSLOptions connecting = new ClientSSLOptions();
    // A program that the authority has signed for is a server, whatever its address.
    connecting.setHostnameVerificationAlgorithm("");
    connecting.setEnabledSecureTransportProtocols(PROTOCOLS);
    connecting.setKeyCertOptions(tls.keyCertOptions());
    connecting.setTrustOptions(tls.trustOptions());
    Object bus = vertx.eventBus();
    Future.all(
            part(bus, "server", NetServer.class).updateSSLOptions(listening, true),
            part(bus, "client", NetClient.class).updateSSLOptions(connecting, true))
        .await(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  private static <T> T part(Object bus, String name, Class<T> type) {
    try {
      Field field = bus.getClass().getDeclaredField(name);
      field.setAccessible(true);
      return type.cast(field.get(bus));
    } catch (ReflectiveOperationException | ClassCastException e) {
      throw new Problem.Broken("the bus of this Vert.x has no " + name + ": " + e.getMessage())
          .toException();
    }
  }
}
