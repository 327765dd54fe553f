package io.orrery.compute.keeper;

import io.orrery.compute.service.Eventually;
import io.orrery.compute.service.Keepers;
import io.orrery.compute.service.KeepersProvider;
import io.orrery.compute.service.TrialAccess;
import io.orrery.core.bus.Bus;
import io.orrery.core.code.CodeLimits;
import io.orrery.core.time.SystemClock;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** Deploys the verticle of keepers, for suites of training services. */
public final class DeployedKeepers implements KeepersProvider {
  @Override
  public Keepers keepers(Vertx vertx, Bus bus, Path home, TrialAccess access) throws Exception {
    return deploy(vertx, bus, home, access).keepers();
  }

  /** The verticle itself, for a test of what the keepers of two servers do. */
  public static KeeperVerticle deploy(Vertx vertx, Bus bus, Path home, TrialAccess access)
      throws Exception {
    KeeperVerticle keepers =
        new KeeperVerticle(
            vertx,
            bus,
            new SystemClock(vertx),
            home,
            access,
            CodeLimits.DEFAULT,
            KeptLimits.DEFAULT);
    vertx.deployVerticle(keepers).await(Eventually.LIMIT.toSeconds(), TimeUnit.SECONDS);
    return keepers;
  }
}
