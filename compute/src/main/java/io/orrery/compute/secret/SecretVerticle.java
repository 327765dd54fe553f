package io.orrery.compute.secret;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Secrets;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;

/** The verticle that seals the secrets of projects with the key of the server. */
public final class SecretVerticle extends VerticleBase {
  private final Bus bus;
  private final SecretBox box;

  public SecretVerticle(Bus bus, SecretBox box) {
    this.bus = bus;
    this.box = box;
  }

  @Override
  public Future<?> start() {
    return bus.serve(
        Secrets.SEAL,
        asked ->
            vertx.executeBlocking(
                () -> new Secrets.SealedValue(box.sealValue(asked.value())), false));
  }
}
