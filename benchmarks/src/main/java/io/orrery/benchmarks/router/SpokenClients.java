package io.orrery.benchmarks.router;

import io.orrery.benchmarks.child.MeasuredProcess;
import io.orrery.benchmarks.router.load.Apart;
import io.orrery.benchmarks.router.load.Asking;
import io.orrery.benchmarks.router.load.H2Load;
import io.orrery.benchmarks.router.load.RouterLoad;
import io.orrery.benchmarks.router.load.SpokenEndpoints;
import io.orrery.benchmarks.router.peer.ProtocolPair;
import io.orrery.benchmarks.router.peer.ServerCertificate;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The clients and endpoints of each pair of protocols. What a scenario does not need is not
 * started.
 */
final class SpokenClients implements AutoCloseable {
  /** Requests under way on each connection of HTTP/2. */
  private static final int STREAMS = 8;

  private final Path scratch;
  private final RouterLoad load;
  private final @Nullable Path h2load = MeasuredProcess.installed("h2load");
  private @Nullable ServerCertificate certificate;
  private @Nullable RouterLoad events;
  private @Nullable SpokenEndpoints endpoints;

  /**
   * @param load clients and endpoints of plain HTTP/1.1
   */
  SpokenClients(Path scratch, RouterLoad load) {
    this.scratch = scratch;
    this.load = load;
  }

  /** Whether the client that a pair needs is installed. */
  boolean canAsk(ProtocolPair protocols) {
    return h2load != null || !protocols.wantsH2load();
  }

  /** The certificate of proxies and endpoints, made when it is first asked for. */
  ServerCertificate certificate() throws IOException, InterruptedException {
    ServerCertificate made = certificate;
    if (made == null) {
      made = ServerCertificate.make(scratch);
      certificate = made;
    }
    return made;
  }

  /** The port of the endpoint that answers for the plain hosts. */
  int endpoint(ProtocolPair protocols) throws IOException, InterruptedException {
    return switch (protocols) {
      case PLAIN, TLS, H2 -> load.endpoints()[0];
      case EVENTS -> events().endpoints()[0];
      case GRPC -> endpoints().grpc();
      case TLS_ENDPOINTS -> endpoints().tls();
    };
  }

  /** Who asks. */
  Asking clients(ProtocolPair protocols) throws IOException, InterruptedException {
    return switch (protocols) {
      case PLAIN -> load;
      case TLS -> new Apart(load, h2load("http/1.1", 1, protocols));
      case H2 -> new Apart(load, h2load("h2", STREAMS, protocols));
      case EVENTS -> events();
      case GRPC -> endpoints().calledBy(h2load("h2c", STREAMS, protocols));
      case TLS_ENDPOINTS -> endpoints().askedBy(load);
    };
  }

  private H2Load h2load(String protocol, int streams, ProtocolPair protocols) {
    return new H2Load(
        Objects.requireNonNull(h2load),
        ProxyProcesses.LOAD_CORE,
        scratch,
        protocols.tls(),
        protocol,
        streams,
        protocols == ProtocolPair.GRPC);
  }

  private RouterLoad events() throws IOException {
    RouterLoad started = events;
    if (started == null) {
      started = RouterLoad.events(ProxyProcesses.LOAD_CORE);
      events = started;
    }
    return started;
  }

  private SpokenEndpoints endpoints() throws IOException, InterruptedException {
    SpokenEndpoints started = endpoints;
    if (started == null) {
      ServerCertificate own = certificate();
      started = SpokenEndpoints.start(ProxyProcesses.LOAD_CORE, own.certificate(), own.key());
      endpoints = started;
    }
    return started;
  }

  @Override
  public void close() {
    if (events != null) {
      events.close();
    }
    if (endpoints != null) {
      endpoints.close();
    }
  }
}
