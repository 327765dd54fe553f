package io.orrery.benchmarks.router.part;

import io.orrery.router.route.RouteTable;
import io.orrery.router.route.Service;
import io.orrery.router.route.Split;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures what a table costs a request: to which service its host belongs, and which version it
 * goes to.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"-XX:+UseSerialGC", "-XX:+UseCompactObjectHeaders"})
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class RoutingJmh {

  /** Tables of many hosts, each with one service. */
  @State(Scope.Thread)
  public static class Hosts {
    @Param({"1", "10000", "100000"})
    public int domains = 1;

    private RouteTable table = PartTables.plain(1);
    private String[] asked = {};
    private int next;

    @Setup
    public void make() {
      table = PartTables.plain(domains);
      asked = PartTables.hosts(domains);
    }

    String host() {
      return asked[next++ & (asked.length - 1)];
    }
  }

  /** A service that gives a tenth and a twentieth away. */
  @State(Scope.Thread)
  public static class Versions {
    private final Split split = PartTables.split();
    private final SplittableRandom random = new SplittableRandom(1);
  }

  @Benchmark
  public @Nullable Service host(Hosts hosts) {
    return hosts.table.find(hosts.host(), PartTables.Plain.GET);
  }

  @Benchmark
  public int weightedPick(Versions versions) {
    return versions.split.pick(versions.random.nextDouble());
  }

  @Benchmark
  public int stickyPick(Versions versions, Hosts hosts) {
    return versions.split.pick(hosts.host());
  }
}
