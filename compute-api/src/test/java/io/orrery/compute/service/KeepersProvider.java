package io.orrery.compute.service;

import io.orrery.core.bus.Bus;
import io.vertx.core.Vertx;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ServiceLoader;

/**
 * Opens the keepers that a suite gives to its training service. Found by the service loader, so
 * that the suite compiles without the module that implements keepers.
 */
public interface KeepersProvider {
  /** Opens keepers over a home; they close with the Vert.x instance. */
  Keepers keepers(Vertx vertx, Bus bus, Path home, TrialAccess access) throws Exception;

  /** The keepers of the class path; without any, ones that fail when they are asked something. */
  static Keepers open(Vertx vertx, Bus bus, Path home, TrialAccess access) throws Exception {
    KeepersProvider found =
        ServiceLoader.load(KeepersProvider.class).findFirst().orElse(KeepersProvider::none);
    return found.keepers(vertx, bus, home, access);
  }

  private static Keepers none(Vertx vertx, Bus bus, Path home, TrialAccess access) {
    return (Keepers)
        Proxy.newProxyInstance(
            Keepers.class.getClassLoader(),
            new Class<?>[] {Keepers.class},
            (proxy, method, arguments) -> {
              throw new UnsupportedOperationException(
                  "put an implementation of KeepersProvider on the class path for " + method);
            });
  }
}
