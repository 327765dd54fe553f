package io.orrery.gateway.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hazelcast.cluster.Cluster;
import com.hazelcast.cluster.Member;
import com.hazelcast.cluster.MembershipEvent;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.LifecycleEvent;
import com.hazelcast.core.LifecycleEvent.LifecycleState;
import com.hazelcast.map.IMap;
import io.orrery.core.net.FreePort;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.EventBusOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests that two servers stay registered with each other, though one was removed by the other. */
class RenewingHazelcastIT {
  private final List<Integer> ports = List.of(FreePort.take(), FreePort.take());
  private RenewingHazelcast staying;
  private RenewingHazelcast returning;
  private Vertx first;
  private Vertx second;

  @BeforeEach
  void start() throws TimeoutException {
    staying = manager(0);
    first = joined(staying, "first");
    returning = manager(1);
    second = joined(returning, "second");
    assertThat(ask(first, "second")).isEqualTo("second");
    assertThat(ask(second, "first")).isEqualTo("first");
  }

  @AfterEach
  void close() throws TimeoutException {
    second.close().await(30, TimeUnit.SECONDS);
    first.close().await(30, TimeUnit.SECONDS);
  }

  private RenewingHazelcast manager(int place) {
    return new RenewingHazelcast(
        ClusteredVertx.config(
            new ClusterConfig(
                ports.stream().map(port -> "127.0.0.1:" + port).toList(),
                "127.0.0.1",
                ports.get(place),
                0,
                new ClusterConfig.Advertised(0, 0),
                Path.of("unused"),
                null,
                Duration.ofSeconds(3)),
            "renewing-" + ports));
  }

  /** One that answers to its name. */
  private static Vertx joined(RenewingHazelcast manager, String name) throws TimeoutException {
    Vertx vertx =
        Vertx.builder()
            .with(new VertxOptions().setEventBusOptions(new EventBusOptions().setHost("127.0.0.1")))
            .withClusterManager(manager)
            .buildClustered()
            .await(60, TimeUnit.SECONDS);
    vertx
        .eventBus()
        .consumer(name, message -> message.reply(name))
        .completion()
        .await(10, TimeUnit.SECONDS);
    return vertx;
  }

  private static Object ask(Vertx asking, String asked) throws TimeoutException {
    return asking
        .eventBus()
        .request(asked, "", new DeliveryOptions().setSendTimeout(2_000))
        .await(10, TimeUnit.SECONDS)
        .body();
  }

  private static boolean answers(Vertx asking, String asked) {
    try {
      return ask(asking, asked).equals(asked);
    } catch (Exception notYet) {
      return false;
    }
  }

  @Test
  void aServerThatIsRemovedAfterItCameBackRegistersAgain() {
    returning.stateChanged(new LifecycleEvent(LifecycleState.MERGED));
    HazelcastInstance hazelcast = staying.getHazelcastInstance();
    hazelcast.getMultiMap("__vertx.subs").remove("second");
    await().atMost(Duration.ofSeconds(20)).until(() -> !answers(first, "second"));
    IMap<Object, Object> servers = hazelcast.getMap("__vertx.nodeInfo");
    servers.remove(returning.getNodeId());

    await().atMost(Duration.ofSeconds(60)).until(() -> answers(first, "second"));
    await().atMost(Duration.ofSeconds(60)).until(() -> servers.containsKey(returning.getNodeId()));
  }

  @Test
  void aMemberThatIsBackIsNotRemovedByTheWordThatItHadLeft() throws TimeoutException {
    Cluster cluster = staying.getHazelcastInstance().getCluster();
    Member back =
        cluster.getMembers().stream()
            .filter(member ->
                returning.getNodeId().equals(member.getAttribute(RenewingHazelcast.NODE_ID)))
            .findFirst()
            .orElseThrow();

    staying.memberRemoved(
        new MembershipEvent(cluster, back, MembershipEvent.MEMBER_REMOVED, cluster.getMembers()));

    assertThat(ask(first, "second")).isEqualTo("second");
    assertThat(ask(second, "first")).isEqualTo("first");
  }
}
