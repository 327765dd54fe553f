package io.orrery.router.proxy;

import io.orrery.router.route.RouterFile.Tls;
import io.vertx.core.Vertx;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.PemKeyCertOptions;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import javax.net.ssl.KeyManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * The choice of the certificate that a client is shown, by the name that it indicates (SNI): the
 * one that the file lists for that name, one for a wildcard, else the first.
 */
final class Certificates implements KeyCertOptions {
  private final List<Tls> all;

  Certificates(List<Tls> all) {
    this.all = List.copyOf(all);
  }

  @Override
  public KeyCertOptions copy() {
    return new Certificates(all);
  }

  @Override
  public KeyManagerFactory getKeyManagerFactory(Vertx vertx) throws Exception {
    return keys(all.getFirst(), vertx);
  }

  @Override
  public Function<String, @Nullable KeyManagerFactory> keyManagerFactoryMapper(Vertx vertx)
      throws Exception {
    Map<String, KeyManagerFactory> byHost = new HashMap<>();
    for (Tls tls : all) {
      KeyManagerFactory keys = keys(tls, vertx);
      tls.hosts().forEach(host -> byHost.putIfAbsent(host.toLowerCase(Locale.ROOT), keys));
    }
    return name -> {
      String host = name.toLowerCase(Locale.ROOT);
      KeyManagerFactory exact = byHost.get(host);
      int dot = host.indexOf('.');
      return exact != null || dot < 0 ? exact : byHost.get("*" + host.substring(dot));
    };
  }

  private static KeyManagerFactory keys(Tls tls, Vertx vertx) throws Exception {
    return TlsEngine.cached(
        new PemKeyCertOptions()
            .addCertPath(tls.certificate().toString())
            .addKeyPath(tls.key().toString())
            .getKeyManagerFactory(vertx));
  }
}
