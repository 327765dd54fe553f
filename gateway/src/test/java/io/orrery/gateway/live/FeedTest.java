package io.orrery.gateway.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.json.Json;
import io.orrery.core.time.VirtualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FeedTest {
  private final VirtualClock clock = new VirtualClock(Instant.EPOCH);
  private final List<Instant> updates = new ArrayList<>();
  private final LiveNumbers numbers = new LiveNumbers("start");

  private final News news =
      new News() {
        @Override
        public List<Event> take() {
          updates.add(clock.now());
          return List.of(Event.of("tick", Json.MAPPER.createObjectNode()));
        }

        @Override
        public List<Event> greeting() {
          return List.of();
        }

        @Override
        public boolean over() {
          return false;
        }
      };

  @Test
  void theFirstNewsGoesOutAtOnceAndTheRestTenTimesASecond() {
    Feed feed = new Feed(clock, numbers, news);

    feed.changed();
    clock.advance(Duration.ofMillis(1));
    assertThat(updates).hasSize(1);

    for (int i = 0; i < 1_000; i++) {
      feed.changed();
      clock.advance(Duration.ofMillis(1));
    }
    assertThat(updates).hasSizeBetween(10, 11);
  }

  @Test
  void afterAQuietTimeTheNextNewsGoesOutAtOnceAgain() {
    Feed feed = new Feed(clock, numbers, news);
    feed.changed();
    clock.advance(Duration.ofSeconds(5));
    assertThat(clock.pending()).isZero();

    feed.changed();
    clock.advance(Duration.ofMillis(1));

    assertThat(updates).hasSize(2);
  }

  @Test
  void anIdFromBeforeTheFeedWasOpenedIsNotTakenForItsOwn() {
    Feed earlier = new Feed(clock, numbers, news);
    long known = earlier.newest();

    Feed feed = new Feed(clock, numbers, news);

    assertThat(earlier.reachesBackTo(known)).isTrue();
    assertThat(feed.reachesBackTo(known)).isFalse();
    assertThat(feed.reachesBackTo(feed.newest())).isTrue();
    assertThat(feed.reachesBackTo(feed.newest() + 1)).isFalse();
  }

  @Test
  void idsOfOtherStartsAndRubbishAreUnknown() {
    assertThat(numbers.of(numbers.id(7))).isEqualTo(7);
    assertThat(List.of("other-7", "start-", "start-x", "7", ""))
        .allSatisfy(id -> assertThat(numbers.of(id)).isEqualTo(LiveNumbers.UNKNOWN));
  }
}
