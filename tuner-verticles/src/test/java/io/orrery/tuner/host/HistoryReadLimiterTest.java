package io.orrery.tuner.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HistoryReadLimiterTest {
  private final HistoryReadLimiter room = new HistoryReadLimiter();
  private final Map<String, Promise<String>> reading = new LinkedHashMap<>();

  private Future<String> read(String who, long left) {
    return room.read(
        left,
        () -> {
          Promise<String> piece = Promise.promise();
          reading.put(who, piece);
          return piece.future();
        });
  }

  @Test
  void aFewReadAtATimeAndWhoHasLeastLeftIsNext() {
    List<Future<String>> read =
        List.of(read("a", 900), read("b", 800), read("c", 700), read("d", 20), read("e", 700));
    List<String> order = new ArrayList<>();
    while (order.size() < read.size()) {
      assertThat(reading).hasSizeLessThanOrEqualTo(2);
      String who = reading.keySet().iterator().next();
      order.add(who);
      reading.remove(who).complete(who);
    }
    assertThat(order).containsExactly("a", "b", "d", "c", "e");
    assertThat(read).map(Future::result).containsExactly("a", "b", "c", "d", "e");
  }

  @Test
  void whatCannotBeReadFreesItsSeat() {
    Future<String> first = read("a", 1);
    read("b", 1);
    read("c", 1);
    assertThat(reading).containsOnlyKeys("a", "b");
    reading.remove("a").fail("gone");
    assertThat(reading).containsOnlyKeys("b", "c");
    assertThat(first.cause()).hasMessage("gone");
  }
}
