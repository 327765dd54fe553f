package io.orrery.gateway.mlflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.core.access.ResourceOwner;
import io.orrery.core.bus.contract.Tracking.RunInfo;
import io.orrery.core.bus.contract.Tracking.RunStatus;
import io.orrery.core.bus.contract.Tracking.TrackedRun;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.tracking.TrackedPoints;
import io.orrery.gateway.mlflow.MlflowMerge.Offsets;
import io.orrery.gateway.mlflow.MlflowMerge.Page;
import io.orrery.gateway.mlflow.MlflowMerge.Part;
import io.orrery.gateway.mlflow.MlflowMerge.Source;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MlflowMergeTest {
  private static Source<Integer> source(List<Integer> all, int limit, AtomicInteger read) {
    return offset -> {
      int from = (int) Math.min(offset, all.size());
      int to = Math.min(all.size(), from + limit);
      read.addAndGet(to - from);
      return Future.succeededFuture(new Part<>(all.subList(from, to), to < all.size()));
    };
  }

  @Test
  void allPagesTogetherAreBothSearchesInOneOrderAndEachPageReadsTwoPages() {
    Random random = new Random(11);
    for (int round = 0; round < 500; round++) {
      List<Integer> first = random.ints(random.nextInt(30), 0, 20).sorted().boxed().toList();
      List<Integer> second = random.ints(random.nextInt(30), 0, 20).sorted().boxed().toList();
      int limit = 1 + random.nextInt(7);
      AtomicInteger read = new AtomicInteger();
      MlflowMerge<Integer> merge = new MlflowMerge<>(Integer::compare, limit);

      List<Integer> seen = new ArrayList<>();
      String token = null;
      do {
        read.set(0);
        Page<Integer> page =
            merge
                .page(Offsets.of(token), source(first, limit, read), source(second, limit, read))
                .result();
        assertThat(page.items()).hasSizeLessThanOrEqualTo(limit);
        assertThat(read.get()).isLessThanOrEqualTo(2 * limit);
        seen.addAll(page.items());
        token = page.next();
        assertThat(token == null || page.items().size() == limit).isTrue();
      } while (token != null);

      List<Integer> both = new ArrayList<>(first);
      both.addAll(second);
      both.sort(null);
      assertThat(seen).isEqualTo(both);
    }
  }

  @Test
  void aPageEndsWhereOneOfBothHasMoreThatIsNotRead() {
    MlflowMerge<Integer> merge = new MlflowMerge<>(Integer::compare, 3);
    // Two of the three objects of its page were deleted while it was read.
    Source<Integer> shortened = offset -> Future.succeededFuture(new Part<>(List.of(1), true));
    Source<Integer> whole = source(List.of(2, 5, 6), 3, new AtomicInteger());

    Page<Integer> page = merge.page(new Offsets(0, 0), whole, shortened).result();

    assertThat(page).isEqualTo(new Page<>(List.of(1), "0.1"));
  }

  @Test
  void aRunWithAnInterimResultAloneComesLastWhicheverWayRunsAreSorted() {
    TrackedRun best = run("b", 0.5, Set.of());
    TrackedRun worst = run("c", 0.1, Set.of());
    TrackedRun running = run("a", 0.3, Set.of("default"));
    List<TrackedRun> runs = List.of(running, worst, best);

    assertThat(runs.stream().sorted(MlflowFields.runs(List.of("metrics.`default` DESC"))))
        .containsExactly(best, worst, running);
    assertThat(runs.stream().sorted(MlflowFields.runs(List.of("metrics.`default`"))))
        .containsExactly(worst, best, running);
  }

  private static TrackedRun run(String id, double result, Set<String> interim) {
    RunInfo info =
        new RunInfo(id, "7", ResourceOwner.PUBLIC, "ann", id, RunStatus.RUNNING, false, 5, null);
    return new TrackedRun(
        info,
        Map.of("default", new TrackedPoints.Point(5, 0, result)),
        interim,
        Map.of(),
        Map.of());
  }

  @Test
  void aTokenOfASearchWithoutTrialsIsANumberAsBefore() {
    assertThat(new Offsets(12, 0).token()).isEqualTo("12");
    assertThat(Offsets.of("12")).isEqualTo(new Offsets(12, 0));
    assertThat(Offsets.of(new Offsets(3, 4).token())).isEqualTo(new Offsets(3, 4));
    assertThat(Offsets.of("")).isEqualTo(new Offsets(0, 0));
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "-1", "1.", ".1", "1.2.3", "1.-2", "1.x", "99999999999999999999"})
  void anyOtherTokenIsRefused(String token) {
    assertThatThrownBy(() -> Offsets.of(token)).isInstanceOf(ProblemException.class);
  }
}
