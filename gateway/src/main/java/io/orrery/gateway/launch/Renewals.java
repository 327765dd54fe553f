package io.orrery.gateway.launch;

import io.orrery.core.tls.CertificateWatch;
import io.orrery.core.tls.TlsMaterial;
import io.orrery.metrics.prometheus.Meters;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Has the certificates of the cluster read again, and tells Prometheus when each ends. */
final class Renewals extends VerticleBase {
  private final Ground ground;
  private final TlsMaterial material;
  private @Nullable CertificateWatch watch;

  private Renewals(Ground ground, TlsMaterial material) {
    this.ground = ground;
    this.material = material;
  }

  /**
   * Begins.
   *
   * @param edge the certificates of the port, which reads them again itself
   */
  static void open(Ground ground, @Nullable TlsMaterial edge, @Nullable TlsMaterial cluster) {
    tell(ground.meters(), "http", edge);
    tell(ground.meters(), "cluster", cluster);
    if (cluster != null) {
      ground.deploy(new Renewals(ground, cluster));
    }
  }

  private static void tell(Meters meters, String what, @Nullable TlsMaterial material) {
    if (material != null) {
      meters.watch(
          "certificate.end.seconds",
          "certificate",
          what,
          "When the certificate ends, in seconds of Unix time",
          material,
          each -> {
            Instant end = each.end();
            return end == null ? Double.NaN : end.getEpochSecond();
          });
    }
  }

  @Override
  public Future<?> start() {
    watch = CertificateWatch.start(vertx, ground.clock(), material, () -> {});
    return Future.succeededFuture();
  }

  @Override
  public Future<?> stop() {
    if (watch != null) {
      watch.close();
    }
    return Future.succeededFuture();
  }
}
