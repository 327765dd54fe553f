package io.orrery.gateway.launch;

import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.gateway.http.TlsFiles;
import java.net.BindException;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Opens the port that all requests come in by, and says what is in the way when it cannot be had.
 */
final class EdgePort {
  private EdgePort() {}

  /**
   * Deploys the edge.
   *
   * @throws io.orrery.core.problem.ProblemException Conflict when its port is taken, Refused when
   *     its certificate cannot be used
   */
  static String open(Supplier<String> deployment, ServerConfig config) {
    try {
      return deployment.get();
    } catch (Exception e) { // await throws the cause as it is, checked or not
      TlsFiles tls = config.tls();
      if (busy(e)) {
        throw new Problem.Conflict(taken(config)).toException();
      }
      if (tls != null) {
        throw new Problem.Refused(
                new Finding(
                    "/http/tls",
                    tls.certificate() + " and " + tls.key() + " cannot be used: " + e.getMessage()))
            .toException();
      }
      throw e;
    }
  }

  /** Names the port, and who holds it. */
  private static String taken(ServerConfig config) {
    TlsFiles tls = config.tls();
    int port = config.port();
    Optional<ProcessHandle> holder = PortHolder.of(port);
    if (tls != null && holder.filter(p -> p.pid() != ProcessHandle.current().pid()).isEmpty()) {
      port = tls.localPort();
      holder = PortHolder.of(port);
    }
    return "port "
        + port
        + " is taken"
        + holder
            .map(p ->
                " by process " + p.pid() + p.info().command().map(c -> " (" + c + ")").orElse(""))
            .orElse("")
        + (port == config.port()
            ? "; --port 0 takes any free one"
            : "; http.tls.localPort: 0 takes any free one");
  }

  private static boolean busy(Throwable failure) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (t instanceof BindException || String.valueOf(t.getMessage()).contains("in use")) {
        return true;
      }
    }
    return false;
  }
}
