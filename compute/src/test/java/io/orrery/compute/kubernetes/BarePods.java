package io.orrery.compute.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The pods of a {@link MockCluster} that clients make themselves, without a job or an operator. */
public final class BarePods {
  private static final int HOSTS = 200;

  private final MockCluster cluster;
  private final @Nullable Node node;
  private final AtomicInteger addresses = new AtomicInteger();
  private volatile Function<JsonNode, @Nullable JsonNode> script = pod -> null;

  /**
   * @param node null when pods do not run
   */
  BarePods(MockCluster cluster, @Nullable Node node) {
    this.cluster = cluster;
    this.node = node;
  }

  /** Gives new pods the status that is not null, and does not run those. */
  public void script(Function<JsonNode, @Nullable JsonNode> status) {
    script = status;
  }

  /** Runs a pod that was kept from it by {@link #script}. */
  public void start(JsonNode pod) {
    cluster.later(() -> created(pod));
  }

  /** A client has made a pod: it is run, with an address of this machine of its own. */
  void created(JsonNode pod) {
    JsonNode scripted = script.apply(pod);
    if (scripted != null) {
      cluster.setStatus(MockCluster.pathOf(pod, "pods"), scripted);
    } else if (node != null && !pod.isEmpty()) {
      int number = addresses.getAndIncrement();
      node.address(pod, "127.77.%d.%d".formatted(number / HOSTS, 1 + number % HOSTS));
      node.run(pod, pod);
    }
  }
}
