package io.orrery.gateway.metric;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.TrialRef;
import io.orrery.core.metric.MetricKind;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.metric.MetricSink;
import io.orrery.core.metric.MetricSink.Receipt;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.problem.Outcome;
import io.orrery.core.problem.Problem;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PointBatcherTest {
  /** A call that the sink has not answered. */
  private record Call(List<List<MetricPoint>> batches, Promise<List<Outcome<Receipt>>> answer) {
    List<Long> ordinals() {
      return batches.stream().flatMap(List::stream).map(MetricPoint::ordinal).toList();
    }

    void complete() {
      answer.complete(batches.stream().map(Call::done).toList());
    }

    static Outcome<Receipt> done(List<MetricPoint> batch) {
      return new Outcome.Done<>(new Receipt(batch.size(), 0));
    }
  }

  private final List<Call> calls = new ArrayList<>();
  private final MetricSink sink =
      batches -> {
        Call call = new Call(batches, Promise.promise());
        calls.add(call);
        return call.answer().future();
      };
  private final PointBatcher gathering = new PointBatcher(sink);

  private Future<Receipt> append(long... ordinals) {
    List<MetricPoint> points = new ArrayList<>();
    for (long ordinal : ordinals) {
      points.add(
          new MetricPoint(
              new AttemptRef(TrialRef.parse("exp/abcde"), 1),
              "",
              ordinal,
              MetricKind.INTERMEDIATE,
              ordinal,
              null,
              0,
              MetricValue.of(1)));
    }
    return gathering.append(points);
  }

  @Test
  void whatComesWhileTheDiskIsBusyGoesTogetherAndInOrder() {
    Future<Receipt> first = append(0);
    Future<Receipt> second = append(1);
    Future<Receipt> third = append(2, 3);
    Future<Receipt> fourth = append(4);
    assertThat(calls).hasSize(2);

    calls.get(0).complete();
    assertThat(first.result()).isEqualTo(new Receipt(1, 0));
    assertThat(second.isComplete()).isFalse();
    assertThat(calls).hasSize(3);
    assertThat(calls.get(2).ordinals()).containsExactly(2L, 3L, 4L);

    calls.get(1).complete();
    calls.get(2).complete();
    assertThat(third.result()).isEqualTo(new Receipt(2, 0));
    assertThat(fourth.result()).isEqualTo(new Receipt(1, 0));
  }

  @Test
  void whatIsHandedInTogetherGoesTogetherThoughTheDiskIsFree() {
    gathering.together(() -> {
      append(0);
      append(1);
      assertThat(calls).isEmpty();
    });
    assertThat(calls).hasSize(1);
    assertThat(calls.getFirst().ordinals()).containsExactly(0L, 1L);

    gathering.together(() -> {});
    assertThat(calls).hasSize(1);
    append(2);
    assertThat(calls).hasSize(2);
  }

  @Test
  void aBadBatchDoesNotTakeTheOthersWithIt() {
    append(0);
    append(1);
    Future<Receipt> bad = append(2);
    Future<Receipt> good = append(3);
    calls.get(0).complete();

    Problem gaps = new Problem.TooLarge("too many gaps");
    Call both = calls.get(2);
    both.answer()
        .complete(List.of(new Outcome.Undone<>(gaps), Call.done(both.batches().getLast())));

    assertThat(calls).hasSize(3);
    assertThat(Problem.of(bad.cause())).isEqualTo(gaps);
    assertThat(good.result()).isEqualTo(new Receipt(1, 0));
  }

  @Test
  void aFullStoreIsToldToAllAtOnce() {
    append(0);
    append(1);
    Future<Receipt> one = append(2);
    Future<Receipt> other = append(3);
    calls.get(0).complete();

    calls.get(2).answer().fail(new Problem.Busy("full", Duration.ofSeconds(1)).toException());

    assertThat(calls).hasSize(3);
    assertThat(one.failed()).isTrue();
    assertThat(other.failed()).isTrue();
  }

  @Test
  void whatIsTooMuchToGatherIsHandedOnForTheStoreToJudge() {
    append(0);
    append(1);
    append(new long[50_001]);

    assertThat(calls).hasSize(3);
  }
}
