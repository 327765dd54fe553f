package io.orrery.orchestrator.workload;

import io.orrery.compute.runtime.ReplicaShell;
import io.orrery.compute.runtime.Runtime;
import io.orrery.core.bus.contract.People.Actor;
import io.orrery.core.bus.contract.People.Done;
import io.orrery.core.bus.contract.Shells;
import io.orrery.core.bus.contract.Workloads.Workload;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import io.orrery.core.workload.WorkloadRef;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The terminals that are open, at most {@value #MOST} and {@value #MOST_OF_CALLER} of a caller, and
 * as many commands, of which a caller has at most {@value #MOST_COMMANDS}. One that was not read
 * for a minute is closed: its server has gone. Used on the context of the owner of workloads alone.
 */
final class OpenShells {
  private static final int MOST = 256;
  private static final int MOST_OF_CALLER = 32;
  private static final int MOST_COMMANDS = 8;
  private static final Duration SILENT = Duration.ofMinutes(1);

  /** How long a server that stops waits for their ends. */
  private static final Duration ENDING = Duration.ofSeconds(5);

  private final Clock clock;
  private final Map<String, Terminal> all = new HashMap<>();

  /** Those that are being opened. */
  private final Map<Future<ReplicaShell>, Opening> opening = new HashMap<>();

  private boolean closed;

  OpenShells(Clock clock) {
    this.clock = clock;
  }

  /** A terminal, and when it was last asked for output. */
  private static final class Terminal {
    final ReplicaShell shell;
    final Opening opening;
    Instant readAt;

    Terminal(ReplicaShell shell, Opening opening, Instant now) {
      this.shell = shell;
      this.opening = opening;
      this.readAt = now;
    }
  }

  /**
   * A terminal or command that is asked for.
   *
   * @param isUse whether the workload is in use meanwhile
   */
  private record Opening(WorkloadRef workload, Actor by, boolean isCommand, boolean isUse) {
    boolean isLike(Opening other) {
      return by.equals(other.by) && isCommand == other.isCommand;
    }
  }

  Future<Shells.Opened> open(Shells.OpenShell asked, Runtime runtime) {
    return open(
        new Opening(asked.replica().workload(), asked.by(), false, true),
        MOST_OF_CALLER,
        () -> opened(asked, runtime));
  }

  Future<Shells.Opened> run(Shells.RunCommand asked, Runtime runtime) {
    return open(
        new Opening(asked.replica().workload(), asked.by(), true, asked.isUse()),
        MOST_COMMANDS,
        () -> runtime.command(asked.replica(), asked.command()));
  }

  private Future<Shells.Opened> open(
      Opening wanted, int most, Supplier<Future<ReplicaShell>> begins) {
    closeSilent();
    if (closed) {
      throw stops();
    }
    if (count(each -> each.isCommand() == wanted.isCommand()) >= MOST) {
      throw new Problem.Busy(
              wanted.isCommand()
                  ? "%d commands in pods run already".formatted(MOST)
                  : "%d terminals are open already".formatted(MOST),
              Duration.ofSeconds(wanted.isCommand() ? 1 : 10))
          .toException();
    }
    long own = count(wanted::isLike);
    if (own >= most) {
      throw new Problem.Busy(
              wanted.isCommand()
                  ? "%d commands in pods run for you already: wait for one".formatted(own)
                  : "%d terminals of yours are open already: close one".formatted(own),
              Duration.ofSeconds(wanted.isCommand() ? 1 : 10))
          .toException();
    }
    Future<ReplicaShell> begun = begins.get();
    opening.put(begun, wanted);
    return begun
        .onComplete(done -> opening.remove(begun))
        .map(shell -> {
          if (closed) {
            throw stops();
          }
          String name = UUID.randomUUID().toString();
          all.put(name, new Terminal(shell, wanted, clock.now()));
          return new Shells.Opened(name);
        });
  }

  private long count(Predicate<Opening> counted) {
    return Stream.concat(all.values().stream().map(each -> each.opening), opening.values().stream())
        .filter(counted)
        .count();
  }

  private static RuntimeException stops() {
    return new Problem.Busy("The server stops.", Duration.ofSeconds(10)).toException();
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

  /** A workload with the number of those in it. */
  Workload counted(Workload view) {
    return view.with(
        (int)
            all.values().stream()
                .filter(
                    each -> each.opening.isUse() && each.opening.workload().equals(view.workload()))
                .count());
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
      return terminal.shell.close().transform(ended -> Future.succeededFuture(new Done()));
    }
    return Future.succeededFuture(new Done());
  }

  /** Closes those that are not read any more. */
  void closeSilent() {
    Instant oldest = clock.now().minus(SILENT);
    List.copyOf(all.entrySet()).stream()
        .filter(each -> each.getValue().readAt.isBefore(oldest))
        .forEach(each -> {
          all.remove(each.getKey());
          each.getValue().shell.close();
        });
  }

  /**
   * Ends all, and those that are being opened. Completes when that was done, or took too long: a
   * shell in a container or a pod is ended from here, or runs on when this server has gone.
   */
  Future<Void> closeAll() {
    closed = true;
    List<Future<Void>> ends = new ArrayList<>();
    all.values().forEach(terminal -> ends.add(terminal.shell.close()));
    opening.keySet().forEach(begun -> ends.add(begun.compose(ReplicaShell::close)));
    all.clear();
    Promise<Void> over = Promise.promise();
    Clock.Timer patience = clock.after(ENDING, over::tryComplete);
    Future.join(ends)
        .onComplete(done -> {
          patience.cancel();
          over.tryComplete();
        });
    return over.future();
  }

  private Terminal known(String shell) {
    Terminal terminal = all.get(shell);
    if (terminal == null) {
      throw new Problem.NotFound("There is no such terminal or command any more.").toException();
    }
    return terminal;
  }
}
