package io.orrery.gateway.cluster;

import com.hazelcast.core.HazelcastInstance;
import io.vertx.core.Completable;

/** A cluster manager that ends the Hazelcast that it was given when Vert.x leaves the cluster. */
final class OwnedHazelcast extends RenewingHazelcast {
  private final HazelcastInstance hazelcast;

  OwnedHazelcast(HazelcastInstance hazelcast) {
    super(hazelcast);
    this.hazelcast = hazelcast;
  }

  @Override
  public void leave(Completable<Void> promise) {
    super.leave((done, failure) -> {
      hazelcast.shutdown();
      promise.complete(null, failure);
    });
  }
}
