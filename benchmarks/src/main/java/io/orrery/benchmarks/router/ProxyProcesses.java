package io.orrery.benchmarks.router;

import io.orrery.benchmarks.child.MeasuredProcess;
import io.orrery.benchmarks.router.RouterScenario.Trait;
import io.orrery.benchmarks.router.load.Asking;
import io.orrery.benchmarks.router.load.RouterLoad;
import io.orrery.benchmarks.router.load.Task;
import io.orrery.benchmarks.router.peer.EndpointLayout;
import io.orrery.benchmarks.router.peer.HaProxy;
import io.orrery.benchmarks.router.peer.JavaPeer;
import io.orrery.benchmarks.router.peer.Nginx;
import io.orrery.benchmarks.router.peer.OrreryProxy;
import io.orrery.benchmarks.router.peer.ProtocolPair;
import io.orrery.benchmarks.router.peer.Proxy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The proxies that run. Each is started when the first scenario wants it and stays, so that a
 * scenario finds it as warm as the others have left it; those of a great many hosts go after
 * theirs.
 */
final class ProxyProcesses implements AutoCloseable {
  /** The core of proxies. */
  static final String CORE = "0";

  /** The core of the load program. */
  static final String LOAD_CORE = "1";

  static final String BOTH = CORE + "," + LOAD_CORE;
  private static final int SLICE_MILLIS = 2_000;

  private final Path scratch;
  private final Path distribution;
  private final Path root;
  private final SpokenClients spoken;
  private final RouterLoad load;
  private final boolean quick;
  private final Map<String, Proxy> running = new HashMap<>();
  private @Nullable List<JavaPeer> javaPeers;

  /**
   * @param root the folder {@code benchmarks}
   * @param spoken the clients and endpoints of each pair of protocols
   * @param quick without peers on the JVM, and with half of the warm-up
   */
  ProxyProcesses(
      Path scratch,
      Path distribution,
      Path root,
      RouterLoad load,
      SpokenClients spoken,
      boolean quick) {
    this.spoken = spoken;
    this.scratch = scratch;
    this.distribution = distribution;
    this.root = root;
    this.load = load;
    this.quick = quick;
  }

  /** A proxy that is measured in a scenario. */
  record Entrant(String label, Proxy proxy, boolean plain) {}

  /** Who takes part, ours first. */
  List<Entrant> entrants(RouterScenario scenario) throws IOException, InterruptedException {
    List<Entrant> all = new ArrayList<>();
    Path nginx = MeasuredProcess.installed("nginx");
    if (scenario.is(Trait.LOOPS)) {
      all.add(entrant(loops(1)));
      all.add(entrant(loops(2)));
      if (nginx != null) {
        all.add(entrant(workers(nginx, 1)));
        all.add(entrant(workers(nginx, 2)));
      }
      return all;
    }
    all.add(entrant(orrery(scenario)));
    if (scenario.is(Trait.BOTH_WAYS)) {
      all.add(entrant(api(scenario)));
    }
    if (scenario.is(Trait.BESIDE_PLAIN)) {
      all.add(new Entrant("orrery, plain", orrery(RouterScenario.named("get")), true));
    }
    if (scenario.is(Trait.ALONE)) {
      return all;
    }
    if (nginx != null) {
      all.add(entrant(nginx(nginx, scenario)));
    }
    Path haproxy = MeasuredProcess.installed("haproxy");
    if (haproxy != null && !scenario.is(Trait.MIRRORS)) {
      all.add(entrant(haproxy(haproxy, scenario)));
    }
    boolean simple =
        scenario.protocols() == ProtocolPair.PLAIN
            && !scenario.is(Trait.MIRRORS)
            && !scenario.is(Trait.CHANGES)
            && !scenario.is(Trait.NATIVE_PEERS);
    if (simple && !quick) {
      for (JavaPeer peer : javaPeers()) {
        all.add(entrant(javaPeer(peer, scenario)));
      }
    }
    return all;
  }

  private static Entrant entrant(Proxy proxy) {
    return new Entrant(proxy.name(), proxy, false);
  }

  private interface Start {
    Proxy run(EndpointLayout site) throws IOException, InterruptedException;
  }

  private Proxy orrery(RouterScenario scenario) throws IOException, InterruptedException {
    return running(
        "orrery", scenario, site -> OrreryProxy.start(site, distribution, "orrery", 1, CORE, true));
  }

  private Proxy api(RouterScenario scenario) throws IOException, InterruptedException {
    return running(
        "orrery, api",
        scenario,
        site -> OrreryProxy.start(site, distribution, "orrery, api", 1, CORE, false));
  }

  private Proxy loops(int loops) throws IOException, InterruptedException {
    String label = loops == 1 ? "orrery, 1 loop" : "orrery, 2 loops";
    return running(
        label,
        RouterScenario.named("loops"),
        site -> OrreryProxy.start(site, distribution, label, loops, BOTH, true));
  }

  /** What a second thread of work costs any proxy on this machine. */
  private Proxy workers(Path program, int workers) throws IOException, InterruptedException {
    String label = workers == 1 ? "nginx, 1 worker" : "nginx, 2 workers";
    return running(
        label,
        RouterScenario.named("loops"),
        site -> Nginx.start(site, program, label, workers, BOTH));
  }

  private Proxy nginx(Path program, RouterScenario scenario)
      throws IOException, InterruptedException {
    return running("nginx", scenario, site -> Nginx.start(site, program, "nginx", 1, CORE));
  }

  private Proxy haproxy(Path program, RouterScenario scenario)
      throws IOException, InterruptedException {
    return running("haproxy", scenario, site -> HaProxy.start(site, program, CORE));
  }

  private Proxy javaPeer(JavaPeer peer, RouterScenario scenario)
      throws IOException, InterruptedException {
    return running(peer.name(), scenario, site -> peer.start(site, CORE));
  }

  private Proxy running(String name, RouterScenario scenario, Start start)
      throws IOException, InterruptedException {
    String key = name + ' ' + scenario.protocols().word() + ' ' + scenario.domains();
    Proxy proxy = running.get(key);
    if (proxy == null) {
      proxy = start.run(site(key, scenario));
      running.put(key, proxy);
      warm(proxy, scenario);
    }
    return proxy;
  }

  private EndpointLayout site(String key, RouterScenario scenario)
      throws IOException, InterruptedException {
    int[] ports = load.endpoints();
    Path folder = Files.createDirectories(scratch.resolve(key.replace(' ', '-')));
    return new EndpointLayout(
        folder,
        scenario.protocols(),
        spoken.certificate(),
        scenario.domains(),
        spoken.endpoint(scenario.protocols()),
        ports[1],
        ports[2],
        ports[3],
        MeasuredProcess.freePort());
  }

  /**
   * Until the compilers have had their say, and each host was asked for: by processor time, which a
   * busy machine deals out slowly, from when the table had been read.
   */
  private void warm(Proxy proxy, RouterScenario scenario) throws IOException, InterruptedException {
    double enough = proxy.cpuMicros() + (quick ? 6 : 12) * 1e6;
    long patience = quick ? 20 : 60;
    long end = System.nanoTime() + patience * 1_000_000_000L;
    Asking clients = spoken.clients(scenario.protocols());
    Task task = scenario.warming(proxy.port(), SLICE_MILLIS);
    while (proxy.compiles() && proxy.cpuMicros() < enough && System.nanoTime() < end) {
      clients.run(task, () -> {});
    }
  }

  private List<JavaPeer> javaPeers() throws IOException, InterruptedException {
    List<JavaPeer> found = javaPeers;
    if (found == null) {
      found = new ArrayList<>();
      for (String name : List.of("vertx-http-proxy", "spring-cloud-gateway")) {
        JavaPeer peer = JavaPeer.find(root, name);
        if (peer != null) {
          found.add(peer);
        }
      }
      javaPeers = found;
    }
    return found;
  }

  /** Ends those that are not needed any more: all that know more than one host. */
  void retire(RouterScenario scenario) {
    if (scenario.domains() > 1 || scenario.is(Trait.LOOPS)) {
      List<String> over =
          running.keySet().stream()
              .filter(key -> !key.endsWith(" 1") || key.contains("loop"))
              .toList();
      over.forEach(key -> {
        Proxy proxy = running.remove(key);
        if (proxy != null) {
          proxy.close();
        }
      });
    }
  }

  @Override
  public void close() {
    running.values().forEach(Proxy::close);
  }
}
