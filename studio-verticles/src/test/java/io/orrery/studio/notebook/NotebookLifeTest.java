package io.orrery.studio.notebook;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.contract.Workloads;
import io.orrery.core.bus.contract.Workloads.Workload;
import io.orrery.core.notebook.NotebookStatus;
import io.orrery.core.workload.Replica;
import io.orrery.core.workload.ReplicaPhase;
import io.orrery.core.workload.ReplicaRef;
import io.orrery.core.workload.WorkloadRef;
import io.orrery.core.workload.WorkloadStatus;
import io.orrery.studio.notebook.NotebookLife.Transition;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class NotebookLifeTest {
  private static final Instant START = Instant.parse("2026-01-31T12:00:00Z");
  private static final IdleModel DAY = new IdleModel(Duration.ofDays(1));
  private static final WorkloadRef REF = WorkloadRef.parse("notebook/ann-1");

  static Workload workload(long generation, ReplicaPhase... phases) {
    return workload(true, generation, phases);
  }

  private static Workload workload(boolean routed, long generation, ReplicaPhase... phases) {
    List<Replica> replicas =
        List.of(phases).stream()
            .map(phase ->
                new Replica(
                    new ReplicaRef(REF, generation, 0),
                    phase,
                    "why",
                    Map.of(),
                    0,
                    3,
                    List.of("Bye."),
                    START))
            .toList();
    return new Workload(
        REF,
        ProjectName.PUBLIC,
        "ann",
        Workloads.HERE,
        generation,
        1,
        WorkloadStatus.STARTING,
        "why",
        replicas,
        START,
        routed,
        0,
        null);
  }

  private static NotebookState state(boolean wanted, Workload workload, Duration after) {
    return NotebookState.of(wanted, 1, workload, START, DAY, START.plus(after));
  }

  @Test
  void theStateIsWhatIsWantedAndSeen() {
    Duration soon = Duration.ofMinutes(1);
    assertThat(state(false, null, soon).status()).isEqualTo(NotebookStatus.STOPPED);
    assertThat(state(false, workload(1, ReplicaPhase.STOPPING), soon).status())
        .isEqualTo(NotebookStatus.STOPPING);
    assertThat(state(true, null, soon).status()).isEqualTo(NotebookStatus.STARTING);
    assertThat(state(true, workload(1), soon).status()).isEqualTo(NotebookStatus.STARTING);
    assertThat(state(true, workload(1, ReplicaPhase.WAITING), soon).status())
        .isEqualTo(NotebookStatus.WAITING);
    assertThat(state(true, workload(1, ReplicaPhase.READY), soon))
        .isEqualTo(new NotebookState.Running(START.plus(Duration.ofDays(1))));
    assertThat(state(true, workload(1, ReplicaPhase.READY), Duration.ofMinutes(10)))
        .isEqualTo(new NotebookState.Idle(START.plus(Duration.ofDays(1))));
    assertThat(state(true, workload(false, 1, ReplicaPhase.READY), soon).reason())
        .contains("waits for the routers");
    assertThat(state(true, workload(false, 1, ReplicaPhase.READY), soon).status())
        .isEqualTo(NotebookStatus.STARTING);
    assertThat(state(true, workload(1, ReplicaPhase.BACKOFF), soon))
        .isEqualTo(new NotebookState.Failed("why", 3, List.of("Bye.")));
    assertThat(state(true, workload(1, ReplicaPhase.UNREADY), soon).status())
        .isEqualTo(NotebookStatus.UNREACHABLE);
  }

  @Test
  void fromEveryStatusEveryOtherCanBeReached() {
    Set<NotebookStatus> all = EnumSet.allOf(NotebookStatus.class);
    for (NotebookStatus from : all) {
      for (NotebookStatus to : all) {
        List<NotebookStatus> way = NotebookLife.way(from, to);
        assertThat(way).as("%s to %s", from, to).hasSizeLessThan(all.size());
        assertThat(from == to ? way.isEmpty() : way.getLast() == to).isTrue();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(NotebookLife.Signal.class)
  void aSignalAlwaysLeadsToOneStatus(NotebookLife.Signal signal) {
    assertThat(NotebookLife.TABLE.stream().filter(row -> row.signal() == signal))
        .isNotEmpty()
        .extracting(Transition::to)
        .containsOnly(
            NotebookLife.TABLE.stream()
                .filter(row -> row.signal() == signal)
                .findFirst()
                .orElseThrow()
                .to());
    assertThat(NotebookLife.TABLE.stream().map(row -> row.from() + " " + row.signal()))
        .doesNotHaveDuplicates();
  }

  @Test
  void thePictureInTheDocumentationIsTheTable() throws Exception {
    assertThat(Files.readString(Path.of("..", "docs", "notebooks.md")))
        .contains(NotebookLife.diagram());
  }
}
