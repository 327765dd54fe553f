package io.orrery.compute.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.compute.runtime.Runtime.Wanted;
import io.orrery.compute.service.Eventually;
import io.orrery.core.bus.contract.Trials.LogPiece;
import io.orrery.core.workload.Replica;
import io.orrery.core.workload.ReplicaPhase;
import io.orrery.core.workload.WorkloadSpec;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The behaviour of every runtime, with real programs. */
public abstract class RuntimeContract extends ShellContract {
  private static final Duration GRACE = Duration.ofSeconds(20);

  @Test
  void aReplicaRunsAndIsReadyAtItsEndpoint() throws Exception {
    want(1, web(Map.of("GREETING", "hello")), 1);

    Replica replica = ready(ref(1, 0));

    assertThat(get(replica, "/env?GREETING")).isEqualTo("hello");
    assertThat(get(replica, "/env?ORRERY_WORKLOAD")).isEqualTo("service/hello");
    assertThat(get(replica, "/env?ORRERY_REPLICA")).isEqualTo("service/hello/1-0");
    assertThat(get(replica, "/env?PORT_HTTP_MAIN")).isEqualTo(get(replica, "/env?PORT"));
    for (String name : List.of("NODE_NAME", "POD_NAMESPACE", "POD_NAME", "POD_IP", "HOST_IP")) {
      assertThat(get(replica, "/env?K8S_" + name)).as(name).isNotBlank().isNotEqualTo("-");
    }
    assertThat(replica.reason()).isNull();
    assertThat(replica.restarts()).isZero();
    assertThat(told).contains(HELLO);
  }

  @Test
  void aReplicaIsNotReadyBeforeItsProbeSaysSo() throws Exception {
    want(1, web(Map.of("HEALTH", "503")), 1);
    // The number of a port may have these digits, too.
    Replica starting = until(ref(1, 0), it -> String.valueOf(it.reason()).contains("answered 503"));
    assertThat(starting.phase()).isEqualTo(ReplicaPhase.STARTING);

    get(starting, "/set?200");

    assertThat(ready(ref(1, 0)).reason()).isNull();
  }

  @Test
  void aReplicaWithoutAProbeIsReadyAsSoonAsItRuns() throws Exception {
    WorkloadSpec spec = web(Map.of());
    want(1, withReadiness(spec, null), 1);

    ready(ref(1, 0));
  }

  @Test
  void aReplicaThatStopsAnsweringIsUnreadyUntilItAnswersAgain() throws Exception {
    want(1, web(Map.of()), 1);
    Replica replica = ready(ref(1, 0));

    get(replica, "/set?500");
    Replica unready = until(ref(1, 0), it -> it.phase() == ReplicaPhase.UNREADY);
    assertThat(unready.reason()).contains("answered 500");
    assertThat(unready.endpoints()).isEqualTo(replica.endpoints());
    get(replica, "/set?204");

    assertThat(ready(ref(1, 0)).restarts()).isZero();
  }

  @Test
  void aCrashIsRestartedWithBackoffAndTellsExitCodeAndLastLines() throws Exception {
    want(1, web(Map.of()), 1);
    Replica first = ready(ref(1, 0));
    String pid = get(first, "/pid");

    crash(first, 7);
    Replica down = until(ref(1, 0), it -> it.phase() == ReplicaPhase.BACKOFF);
    assertThat(down.exitCode()).isEqualTo(7);
    assertThat(down.reason()).contains("exit code 7");
    assertThat(down.lastLines()).endsWith("leaving", "with 7");
    assertThat(down.endpoints()).isEmpty();

    Replica again = until(ref(1, 0), it -> it.phase().isReady() && it.restarts() == 1);
    assertThat(again.exitCode()).isEqualTo(7);
    assertThat(get(again, "/pid")).isNotEqualTo(pid);
  }

  @Test
  void aStartThatExceedsItsDeadlineEndsWithThatReason() throws Exception {
    want(1, withDeadline(web(Map.of("HEALTH", "503")), Duration.ofSeconds(2)), 1);

    Replica late = until(ref(1, 0), it -> it.phase() == ReplicaPhase.BACKOFF);

    assertThat(late.reason()).contains("not ready within 2 s").contains("/health");
    until(ref(1, 0), it -> it.restarts() >= 1);
  }

  @Test
  void aSlowStartWithinItsDeadlineBecomesReady() throws Exception {
    want(1, web(Map.of("START_SECONDS", "1.5")), 1);

    assertThat(ready(ref(1, 0)).restarts()).isZero();
  }

  @Test
  void aNewGenerationRunsBesideTheOldOneUntilThatIsDrained() throws Exception {
    want(1, web(Map.of("GREETING", "old")), 1);
    Replica old = ready(ref(1, 0));

    want(2, web(Map.of("GREETING", "new")), 1);
    Replica fresh = ready(ref(2, 0));
    assertThat(get(old, "/env?GREETING")).isEqualTo("old");
    assertThat(get(fresh, "/env?GREETING")).isEqualTo("new");

    await(runtime.drain(ref(1, 0), GRACE));
    gone(ref(1, 0));
    assertThat(ready(ref(2, 0)).endpoints()).isEqualTo(fresh.endpoints());
  }

  @Test
  void anOlderGenerationThatArrivesLateChangesNothing() throws Exception {
    want(2, web(Map.of("GREETING", "new")), 1);
    ready(ref(2, 0));

    want(1, web(Map.of("GREETING", "old")), 3);
    want(2, web(Map.of("GREETING", "new")), 2);

    ready(ref(2, 1));
    assertThat(runtime.now(HELLO).replicas())
        .extracting(Replica::ref)
        .containsExactly(ref(2, 0), ref(2, 1));
  }

  @Test
  void aSmallerNumberEndsNoReplicaThatIsNotDrained() throws Exception {
    want(1, web(Map.of()), 3);
    String kept = get(ready(ref(1, 0)), "/pid");
    ready(ref(1, 1));
    ready(ref(1, 2));

    want(1, web(Map.of()), 1);
    assertThat(runtime.now(HELLO).replicas()).hasSize(3);
    await(runtime.drain(ref(1, 1), GRACE));
    await(runtime.drain(ref(1, 2), GRACE));
    gone(ref(1, 1));
    gone(ref(1, 2));

    assertThat(runtime.now(HELLO).replicas()).hasSize(1);
    assertThat(get(ready(ref(1, 0)), "/pid")).isEqualTo(kept);
  }

  @Test
  void aDrainedReplicaThatIsStillWantedIsReplaced() throws Exception {
    want(1, web(Map.of()), 1);
    ready(ref(1, 0));

    await(runtime.drain(ref(1, 0), GRACE));

    gone(ref(1, 0));
    ready(ref(1, 1));
  }

  @Test
  void aDrainedReplicaIsAskedFirstAndKilledAfterItsGrace() throws Exception {
    want(1, web(Map.of("TERM_IS_IGNORED", "1")), 1);
    Replica replica = ready(ref(1, 0));
    want(1, web(Map.of()), 0);
    Duration grace = Duration.ofSeconds(2);

    Instant asked = Instant.now();
    await(runtime.drain(ref(1, 0), grace));
    Eventually.until("it is asked to end", () -> log(ref(1, 0), false).contains("asked to end"));
    assertThat(until(ref(1, 0), it -> true).phase()).isEqualTo(ReplicaPhase.STOPPING);
    assertThat(get(replica, "/pid")).isNotEmpty();

    gone(ref(1, 0));
    assertThat(Duration.between(asked, Instant.now())).isGreaterThanOrEqualTo(grace);
    await(runtime.drain(ref(1, 0), grace));
    assertThat(runtime.now(HELLO).replicas()).isEmpty();
  }

  @Test
  void aRemovedWorkloadLeavesNothing() throws Exception {
    want(1, web(Map.of()), 2);
    ready(ref(1, 0));
    ready(ref(1, 1));
    want(2, web(Map.of()), 1);
    ready(ref(2, 0));

    await(runtime.remove(HELLO));

    assertThat(runtime.now(HELLO).replicas()).isEmpty();
    assertNothingLeftOf(HELLO);
    await(runtime.remove(HELLO));
  }

  @Test
  void aWorkloadThatWasRemovedCanBeCreatedAgain() throws Exception {
    want(3, web(Map.of("GREETING", "old")), 1);
    ready(ref(3, 0));
    Future<Void> removed = runtime.remove(HELLO);

    want(1, web(Map.of("GREETING", "new")), 1);
    await(removed);

    assertThat(get(ready(ref(1, 0)), "/env?GREETING")).isEqualTo("new");
  }

  @Test
  void aReplicaOutlivesTheServerAndIsAdoptedWithItsPort() throws Exception {
    WorkloadSpec spec = web(Map.of());
    want(1, spec, 1);
    Replica before = ready(ref(1, 0));
    String pid = get(before, "/pid");

    await(runtime.close());
    assertThat(get(before, "/pid")).isEqualTo(pid);
    runtime = open();
    await(runtime.adopt(List.of(new Wanted(HELLO, 1, spec, 1))));

    // Without a moment in which it is not ready: else it would leave the route table.
    assertThat(runtime.now(HELLO).replicas())
        .singleElement()
        .satisfies(replica -> {
          assertThat(replica.phase()).isEqualTo(ReplicaPhase.READY);
          assertThat(replica.endpoints()).isEqualTo(before.endpoints());
          assertThat(replica.restarts()).isZero();
        });
    assertThat(get(before, "/pid")).isEqualTo(pid);
    Eventually.until("its log is there", () -> log(ref(1, 0), false).contains("started " + pid));
    crash(before, 3);
    assertThat(until(ref(1, 0), it -> it.phase().isReady() && it.restarts() == 1).exitCode())
        .isEqualTo(3);
  }

  @Test
  void aCrashWhileTheServerWasAwayIsRestarted() throws Exception {
    WorkloadSpec spec = web(Map.of());
    want(1, spec, 1);
    Replica before = ready(ref(1, 0));
    await(runtime.close());
    crash(before, 9);

    runtime = open();
    await(runtime.adopt(List.of(new Wanted(HELLO, 1, spec, 1))));

    assertThat(until(ref(1, 0), it -> it.phase().isReady() && it.restarts() == 1).exitCode())
        .isEqualTo(9);
  }

  @Test
  void aWorkloadThatWasRemovedWhileTheServerWasAwayIsRemovedAtAdoption() throws Exception {
    want(1, web(Map.of()), 2);
    ready(ref(1, 0));
    ready(ref(1, 1));
    await(runtime.close());

    runtime = open();
    await(runtime.adopt(List.of()));

    Eventually.until(
        "nothing is left",
        () -> {
          try {
            assertNothingLeftOf(HELLO);
            return true;
          } catch (AssertionError e) {
            return false;
          }
        });
    assertThat(runtime.now(HELLO).replicas()).isEmpty();
  }

  @Test
  void aDrainGoesOnAfterTheServerWasAway() throws Exception {
    WorkloadSpec spec = web(Map.of("TERM_IS_IGNORED", "1"));
    want(1, spec, 1);
    ready(ref(1, 0));
    want(1, spec, 0);
    await(runtime.drain(ref(1, 0), Duration.ofSeconds(1)));
    await(runtime.close());

    runtime = open();
    await(runtime.adopt(List.of(new Wanted(HELLO, 1, spec, 0))));

    gone(ref(1, 0));
  }

  @Test
  void aWorkloadThatIsWantedTwiceRunsOnce() throws Exception {
    WorkloadSpec spec = web(Map.of());
    Future<Void> first = runtime.want(HELLO, 1, spec, 1);
    Future<Void> second = runtime.want(HELLO, 1, spec, 1);
    await(first);
    await(second);
    ready(ref(1, 0));
    want(1, spec, 1);

    assertThat(runtime.now(HELLO).replicas()).hasSize(1);
    assertThat(starts(ref(1, 0))).isOne();
  }

  @Test
  void logsAreReadWhileItRunsAndOfTheProgramBefore() throws Exception {
    want(1, web(Map.of()), 1);
    Replica replica = ready(ref(1, 0));
    get(replica, "/print?one");
    get(replica, "/print?two");
    Eventually.until("it is written", () -> log(ref(1, 0), false).endsWith("one\ntwo\n"));

    LogPiece end = await(runtime.readLog(ref(1, 0), false, -4, 100));
    assertThat(text(end)).isEqualTo("two\n");
    assertThat(end.complete()).isFalse();
    LogPiece beyond = await(runtime.readLog(ref(1, 0), false, end.next(), 100));
    assertThat(beyond.bytes()).isEmpty();
    assertThat(beyond.next()).isEqualTo(end.next());
    LogPiece part = await(runtime.readLog(ref(1, 0), false, end.next() - 8, 3));
    assertThat(text(part)).isEqualTo("one");
    assertThat(part.next()).isEqualTo(end.next() - 5);

    crash(replica, 5);
    until(ref(1, 0), it -> it.phase().isReady() && it.restarts() == 1);
    assertThat(log(ref(1, 0), true)).endsWith("one\ntwo\nleaving\nwith 5\n");
    assertThat(await(runtime.readLog(ref(1, 0), true, end.next(), 100)).complete()).isTrue();
    assertThat(log(ref(1, 0), false)).doesNotContain("one");
  }

  @Test
  void theLogOfAProgramThatHasEndedIsComplete() throws Exception {
    want(1, program(List.of("python3", "-c", "print('for nothing'); exit(4)"), Map.of()), 1);

    Eventually.until(
        "it is complete",
        () -> {
          try {
            LogPiece piece = await(runtime.readLog(ref(1, 0), false, 0, 1000));
            return piece.complete() && text(piece).equals("for nothing\n");
          } catch (AssertionError notYet) {
            return false;
          }
        });
    assertThat(until(ref(1, 0), it -> it.exitCode() != null).exitCode()).isEqualTo(4);
  }
}
