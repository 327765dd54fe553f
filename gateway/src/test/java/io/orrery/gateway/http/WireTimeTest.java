package io.orrery.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class WireTimeTest {
  private static final long LAST = Instant.parse("9999-12-31T23:59:59.999Z").toEpochMilli();
  private static final long FIRST = Instant.parse("0000-01-01T00:00:00Z").toEpochMilli();

  @Test
  void writesWhatTheLibrarysFormatterWrites() {
    WireTime time = new WireTime();
    SplittableRandom chance = new SplittableRandom(1);
    for (int i = 0; i < 100_000; i++) {
      long millis = i % 3 == 0 ? chance.nextLong(FIRST, LAST + 1) : chance.nextLong(LAST / 100);
      StringBuilder text = new StringBuilder();
      time.append(text, millis);
      assertThat(text.toString()).isEqualTo(WireTime.text(Instant.ofEpochMilli(millis)));
    }
  }
}
