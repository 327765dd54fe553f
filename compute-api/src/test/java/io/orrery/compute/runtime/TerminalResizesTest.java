package io.orrery.compute.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.workload.TerminalSize;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TerminalResizesTest {
  private final List<Integer> columns = new ArrayList<>();
  private final List<Promise<Void>> made = new ArrayList<>();
  private final TerminalResizes resizes =
      new TerminalResizes(size -> {
        columns.add(size.columns());
        made.add(Promise.promise());
        return made.getLast().future();
      });

  private Future<Void> to(int wanted) {
    return resizes.to(new TerminalSize(wanted, 24));
  }

  @Test
  void ofThoseThatComeMeanwhileOnlyTheLastIsMade() {
    Future<Void> first = to(100);
    Future<Void> skipped = to(90);
    Future<Void> last = to(80);
    assertThat(columns).containsExactly(100);

    made.getFirst().complete();
    assertThat(first.succeeded()).isTrue();
    assertThat(columns).containsExactly(100, 80);
    assertThat(skipped.isComplete()).isFalse();

    made.getLast().complete();
    assertThat(skipped.succeeded()).isTrue();
    assertThat(last.succeeded()).isTrue();
  }

  @Test
  void aChangeThatFailsKeepsNoOtherFromBeingMade() {
    Future<Void> first = to(100);
    Future<Void> second = to(80);

    made.getFirst().fail("gone");
    made.getLast().complete();

    assertThat(first.failed()).isTrue();
    assertThat(second.succeeded()).isTrue();
    to(70);
    assertThat(columns).containsExactly(100, 80, 70);
  }
}
