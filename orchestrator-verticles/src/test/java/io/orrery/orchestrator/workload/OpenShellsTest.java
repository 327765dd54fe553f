package io.orrery.orchestrator.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.compute.runtime.ReplicaShell;
import io.orrery.compute.runtime.Runtime;
import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.contract.People.Actor;
import io.orrery.core.bus.contract.Shells;
import io.orrery.core.bus.contract.Workloads;
import io.orrery.core.bus.contract.Workloads.Workload;
import io.orrery.core.time.VirtualClock;
import io.orrery.core.workload.ReplicaRef;
import io.orrery.core.workload.TerminalSize;
import io.orrery.core.workload.WorkloadKind;
import io.orrery.core.workload.WorkloadRef;
import io.orrery.core.workload.WorkloadStatus;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** Tests the count of open terminals, and what a server that stops does with them. */
class OpenShellsTest {
  private static final Shells.OpenShell ASKED =
      new Shells.OpenShell(
          new ReplicaRef(new WorkloadRef(WorkloadKind.SERVICE, "a"), 1, 0),
          TerminalSize.USUAL,
          new Actor("ann", "127.0.0.1"),
          null);

  private final VirtualClock clock = new VirtualClock(Instant.EPOCH);
  private final OpenShells shells = new OpenShells(clock);

  /** The shells that are being opened, in their order. */
  private final Queue<Promise<ReplicaShell>> begun = new ArrayDeque<>();

  private final Runtime runtime = of(Runtime.class, "shell", () -> begin().future());
  private final Runtime pods = of(Runtime.class, "command", () -> begin().future());

  private interface Answer {
    Future<?> future();
  }

  /** An object that has one method. */
  private static <T> T of(Class<T> type, String name, Answer answer) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> {
              assertThat(method.getName()).isEqualTo(name);
              return answer.future();
            }));
  }

  private Promise<ReplicaShell> begin() {
    Promise<ReplicaShell> promise = Promise.promise();
    begun.add(promise);
    return promise;
  }

  private static ReplicaShell endsWith(Promise<Void> end, Promise<Void> asked) {
    return of(
        ReplicaShell.class,
        "close",
        () -> {
          asked.complete();
          return end.future();
        });
  }

  @Test
  void aStopEndsWhatIsOpenAndWhatIsBeingOpenedAndWaitsForTheirEnds() {
    Promise<Void> first = Promise.promise();
    Promise<Void> second = Promise.promise();
    Promise<Void> asked = Promise.promise();
    shells.open(ASKED, runtime);
    begun.remove().complete(endsWith(first, Promise.promise()));
    Future<Shells.Opened> late = shells.open(ASKED, runtime);

    Future<Void> over = shells.closeAll();
    first.complete();
    assertThat(over.isComplete()).isFalse();
    begun.remove().complete(endsWith(second, asked));

    assertThat(asked.future().isComplete()).as("the late one is ended").isTrue();
    assertThat(late.cause()).hasMessageContaining("stops");
    assertThat(over.isComplete()).isFalse();
    second.complete();
    assertThat(over.succeeded()).isTrue();
    assertThatThrownBy(() -> shells.open(ASKED, runtime)).hasMessageContaining("stops");
  }

  @Test
  void theOpenTerminalsOfAWorkloadAreCounted() {
    Future<Shells.Opened> opened = shells.open(ASKED, runtime);
    assertThat(connections("a")).as("it is being opened").isZero();
    begun.remove().complete(endsWith(Promise.promise(), Promise.promise()));

    assertThat(connections("a")).isEqualTo(1);
    assertThat(connections("b")).isZero();
    shells.close(new Shells.CloseShell(opened.result().shell()));
    assertThat(connections("a")).isZero();
  }

  private int connections(String service) {
    WorkloadRef workload = new WorkloadRef(WorkloadKind.SERVICE, service);
    return shells
        .counted(
            new Workload(
                workload,
                ProjectName.PUBLIC,
                "ann",
                Workloads.HERE,
                1,
                1,
                WorkloadStatus.READY,
                null,
                List.of(),
                Instant.EPOCH,
                true,
                0,
                null))
        .connections();
  }

  private static Shells.RunCommand command(String user, boolean isUse) {
    return new Shells.RunCommand(
        ASKED.replica(), List.of("true"), new Actor(user, "127.0.0.1"), isUse);
  }

  @Test
  void aCallerRunsSomeCommandsAtOnceBesideOtherCallersAndOpenTerminals() {
    for (int i = 0; i < 8; i++) {
      shells.run(command("ann", false), pods);
    }
    assertThatThrownBy(() -> shells.run(command("ann", false), pods))
        .hasMessageContaining("8 commands in pods run for you");
    shells.run(command("bob", false), pods);
    shells.open(ASKED, runtime);

    begun.remove().fail("refused");

    shells.run(command("ann", false), pods);
    assertThat(begun).hasSize(10);
  }

  @Test
  void onlyCommandsThatUseAWorkloadAreCounted() {
    shells.run(command("ann", false), pods);
    begun.remove().complete(endsWith(Promise.promise(), Promise.promise()));
    assertThat(connections("a")).isZero();

    shells.run(command("ann", true), pods);
    begun.remove().complete(endsWith(Promise.promise(), Promise.promise()));

    assertThat(connections("a")).isEqualTo(1);
  }

  @Test
  void aShellThatDoesNotEndIsNotWaitedForLong() {
    shells.open(ASKED, runtime);
    begun.remove().complete(endsWith(Promise.promise(), Promise.promise()));

    Future<Void> over = shells.closeAll();
    clock.advance(Duration.ofSeconds(4));
    assertThat(over.isComplete()).isFalse();
    clock.advance(Duration.ofSeconds(1));

    assertThat(over.succeeded()).isTrue();
  }
}
