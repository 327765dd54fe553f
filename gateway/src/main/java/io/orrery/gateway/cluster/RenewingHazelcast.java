package io.orrery.gateway.cluster;

import com.hazelcast.cluster.MembershipEvent;
import com.hazelcast.config.Config;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.LifecycleEvent;
import com.hazelcast.core.LifecycleEvent.LifecycleState;
import io.vertx.core.Vertx;
import io.vertx.spi.cluster.hazelcast.HazelcastClusterManager;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A cluster manager that renews the registrations of its server after the members have changed.
 *
 * <p>Each member removes the registrations of one that has left, whenever it comes to that: a
 * server that stood still and is back may lose them after it has registered again, and would be
 * told nothing from then on, not even answers. Such a removal may also end half way, when an
 * operation runs into its timeout, and leave registrations of a server that is gone. So both are
 * done again, a few times.
 */
class RenewingHazelcast extends HazelcastClusterManager {
  private static final Logger LOG = LoggerFactory.getLogger(RenewingHazelcast.class);

  /** The attribute by which Vert.x finds the member of Hazelcast that is one of its nodes. */
  static final String NODE_ID = "__vertx.nodeId";

  /** The last is later than any operation of Hazelcast may take, twice. */
  private static final List<Duration> AFTER =
      List.of(
          Duration.ofSeconds(3),
          Duration.ofSeconds(8),
          Duration.ofSeconds(15),
          Duration.ofSeconds(30));

  private @Nullable Vertx vertx;

  RenewingHazelcast(Config config) {
    super(config);
  }

  RenewingHazelcast(HazelcastInstance hazelcast) {
    super(hazelcast);
  }

  @Override
  public void init(Vertx owner) {
    vertx = owner;
    super.init(owner);
  }

  @Override
  public synchronized void memberRemoved(MembershipEvent event) {
    if (!isActive()) {
      return;
    }
    // One that is back has registered again.
    if (!isMember(event)) {
      super.memberRemoved(event);
    }
    renewLater(event);
  }

  @Override
  public synchronized void stateChanged(LifecycleEvent event) {
    super.stateChanged(event);
    if (event.getState() == LifecycleState.MERGED) {
      renewLater(null);
    }
  }

  private void renewLater(@Nullable MembershipEvent left) {
    Vertx timers = vertx;
    if (timers == null || !isActive()) {
      return;
    }
    for (Duration after : AFTER) {
      timers.setTimer(
          after.toMillis(),
          due ->
              timers
                  .executeBlocking(() -> renew(left), false)
                  .onFailure(failure ->
                      LOG.warn("could not renew the registrations of this server", failure)));
    }
  }

  /** Both ways register this server again. */
  private boolean renew(@Nullable MembershipEvent left) {
    if (!isActive()) {
      return false;
    }
    if (left != null && !isMember(left)) {
      super.memberRemoved(left);
    } else {
      super.stateChanged(new LifecycleEvent(LifecycleState.MERGED));
    }
    return true;
  }

  /** Whether it is a member by now. Hazelcast gives one that merges another identity. */
  private boolean isMember(MembershipEvent event) {
    return getNodes().contains(event.getMember().getAttribute(NODE_ID));
  }
}
