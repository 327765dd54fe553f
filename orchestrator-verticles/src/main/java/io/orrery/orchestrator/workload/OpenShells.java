package io.orrery.orchestrator.workload;

import io.orrery.compute.runtime.ReplicaShell;
import io.orrery.compute.runtime.Runtime;
import io.orrery.core.bus.contract.People.Actor;
import io.orrery.core.bus.contract.People.Done;
import io.orrery.core.bus.contract.Shells;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * The terminals that are open, at most {@value #MOST} and {@value #MOST_OF_CALLER} of a caller. One
 * that was not read for a minute is closed: its server has gone. Used on the context of the owner
 * of workloads alone.
 */
final class OpenShells {
  private static final int MOST = 256;
  private static final int MOST_OF_CALLER = 32;
  private static final Duration SILENT = Duration.ofMinutes(1);

  private final Clock clock;
  private final Map<String, Terminal> all = new HashMap<>();
  private int opening;

  OpenShells(Clock clock) {
    this.clock = clock;
  }

  /** A terminal, and when it was last asked for output. */
  private static final class Terminal {
    final ReplicaShell shell;
    final Actor by;
    Instant readAt;

    Terminal(ReplicaShell shell, Actor by, Instant now) {
      this.shell = shell;
      this.by = by;
      this.readAt = now;
    }
  }

  Future<Shells.Opened> open(Shells.OpenShell asked, Runtime runtime) {
    closeSilent();
    if (all.size() + opening >= MOST) {
      throw new Problem.Busy(
              "%d terminals are open already".formatted(MOST), Duration.ofSeconds(10))
          .toException();
    }
    long own = all.values().stream().filter(each -> each.by.equals(asked.by())).count();
    if (own >= MOST_OF_CALLER) {
      throw new Problem.Busy(
              "%d terminals of yours are open already: close one".formatted(own),
              Duration.ofSeconds(10))
          .toException();
    }
    opening++;
    return opened(asked, runtime)
        .onComplete(done -> opening--)
        .map(shell -> {
          String name = UUID.randomUUID().toString();
          all.put(name, new Terminal(shell, asked.by(), clock.now()));
          return new Shells.Opened(name);
        });
  }

  private Future<ReplicaShell> opened(Shells.OpenShell asked, Runtime runtime) {
    String port = asked.port();
    if (port == null) {
      return runtime.shell(asked.replica(), asked.size());
    }
    return runtime.now(asked.replica().workload()).replicas().stream()
        .filter(replica -> replica.ref().equals(asked.replica()))
        .flatMap(replica -> Stream.ofNullable(replica.endpoints().get(port)))
        .findFirst()
        .map(endpoint -> PortConnection.open(clock, endpoint))
        .orElseThrow(() ->
            new Problem.Conflict("%s has no port %s now.".formatted(asked.replica(), port))
                .toException());
  }

  Future<Shells.Output> read(Shells.ReadShell asked) {
    Terminal terminal = known(asked.shell());
    terminal.readAt = clock.now();
    return terminal
        .shell
        .read()
        .onSuccess(output -> {
          if (output.ended()) {
            all.remove(asked.shell(), terminal);
          }
        });
  }

  Future<Done> write(Shells.WriteShell asked) {
    return known(asked.shell()).shell.write(asked.bytes()).map(new Done());
  }

  Future<Done> resize(Shells.ResizeShell asked) {
    return known(asked.shell()).shell.resize(asked.size()).map(new Done());
  }

  Future<Done> close(Shells.CloseShell asked) {
    Terminal terminal = all.remove(asked.shell());
    if (terminal != null) {
      terminal.shell.close();
    }
    return Future.succeededFuture(new Done());
  }

  /** Closes those that are not read any more. */
  void closeSilent() {
    Instant oldest = clock.now().minus(SILENT);
    List.copyOf(all.entrySet()).stream()
        .filter(each -> each.getValue().readAt.isBefore(oldest))
        .forEach(each -> close(new Shells.CloseShell(each.getKey())));
  }

  void closeAll() {
    all.values().forEach(terminal -> terminal.shell.close());
    all.clear();
  }

  private Terminal known(String shell) {
    Terminal terminal = all.get(shell);
    if (terminal == null) {
      throw new Problem.NotFound("There is no such terminal any more.").toException();
    }
    return terminal;
  }
}
