package io.orrery.gateway.cluster;

import com.hazelcast.config.Config;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.config.NetworkConfig;
import com.hazelcast.instance.impl.HazelcastInstanceFactory;
import io.orrery.core.problem.Problem;
import io.orrery.core.tls.TlsMaterial;
import io.vertx.core.Vertx;
import io.vertx.core.VertxBuilder;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.EventBusOptions;
import io.vertx.spi.cluster.hazelcast.ConfigUtil;
import io.vertx.spi.cluster.hazelcast.HazelcastClusterManager;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A Vert.x whose bus reaches the other servers. Hazelcast only knows who is there and who serves
 * which address; it stores nothing of ours, and no decision rests on what it believes.
 */
public final class ClusteredVertx {
  private static final long PATIENCE_SECONDS = 120;

  private static final long PING_MILLIS = 2_000;

  /**
   * Who has said nothing for five seconds is gone (Hazelcast waits for 60): messages then go where
   * they are answered. One that was only slow comes back by itself some seconds later. As many
   * partitions as there are by default would be for data.
   */
  private static final Map<String, String> PROPERTIES =
      Map.ofEntries(
          Map.entry("hazelcast.logging.type", "slf4j"),
          Map.entry("hazelcast.phone.home.enabled", "false"),
          Map.entry("hazelcast.shutdownhook.enabled", "false"),
          Map.entry("hazelcast.socket.bind.any", "false"),
          Map.entry("hazelcast.heartbeat.interval.seconds", "1"),
          Map.entry("hazelcast.max.no.heartbeat.seconds", "5"),
          Map.entry("hazelcast.merge.first.run.delay.seconds", "5"),
          Map.entry("hazelcast.merge.next.run.delay.seconds", "5"),
          Map.entry("hazelcast.wait.seconds.before.join", "0"),
          Map.entry("hazelcast.operation.call.timeout.millis", "10000"),
          Map.entry("hazelcast.partition.count", "31"));

  private ClusteredVertx() {}

  /**
   * Joins the others, or begins alone and lets them join. Blocks for seconds.
   *
   * @param builder with what is to be had besides the options
   * @param tls what the servers know each other by; null when they do not speak TLS
   * @param name of the cluster: servers of another do not join
   * @throws io.orrery.core.problem.ProblemException Broken when the bus cannot be had
   */
  public static Vertx start(
      VertxBuilder builder,
      VertxOptions options,
      ClusterConfig cluster,
      @Nullable TlsMaterial tls,
      String name) {
    EventBusOptions bus =
        new EventBusOptions()
            .setHost(cluster.host())
            .setPort(cluster.busPort())
            .setClusterPingInterval(PING_MILLIS)
            .setClusterPingReplyInterval(PING_MILLIS);
    if (cluster.advertised().busPort() > 0) {
      bus.setClusterPublicPort(cluster.advertised().busPort());
    }
    if (tls != null) {
      BusTls.protect(bus, tls);
    }
    options.setEventBusOptions(bus);
    try {
      Vertx vertx =
          builder
              .with(options)
              .withClusterManager(manager(config(cluster, name), tls))
              .buildClustered()
              .await(PATIENCE_SECONDS, TimeUnit.SECONDS);
      if (tls != null) {
        BusTls.follow(vertx, tls);
      }
      return vertx;
    } catch (TimeoutException | RuntimeException e) {
      throw new Problem.Broken(
              "the servers of %s cannot be joined at %s:%d: %s"
                  .formatted(cluster.members(), cluster.host(), cluster.port(), e.getMessage()))
          .toException();
    }
  }

  private static HazelcastClusterManager manager(Config config, @Nullable TlsMaterial tls) {
    if (tls == null) {
      return new RenewingHazelcast(config);
    }
    config
        .getMemberAttributeConfig()
        .setAttribute(RenewingHazelcast.NODE_ID, UUID.randomUUID().toString());
    return new OwnedHazelcast(
        HazelcastInstanceFactory.newHazelcastInstance(config, null, new MemberTls(tls.context())));
  }

  static Config config(ClusterConfig cluster, String name) {
    Config config = ConfigUtil.loadConfig();
    config.setClusterName(name);
    PROPERTIES.forEach(config::setProperty);
    NetworkConfig network =
        config
            .getNetworkConfig()
            .setPort(cluster.port())
            .setPortAutoIncrement(false)
            .setPublicAddress(cluster.host() + ":" + cluster.memberPort());
    network.getInterfaces().setEnabled(true).addInterface(cluster.host());
    JoinConfig join = network.getJoin();
    join.getAutoDetectionConfig().setEnabled(false);
    join.getMulticastConfig().setEnabled(false);
    join.getTcpIpConfig()
        .setEnabled(true)
        .setConnectionTimeoutSeconds(2)
        .setMembers(cluster.members());
    return config;
  }
}
