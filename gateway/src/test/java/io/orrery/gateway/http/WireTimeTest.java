package io.orrery.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
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
      byte[] text = new byte[2 + WireTime.LONGEST];
      int end = time.write(text, 2, millis);
      assertThat(new String(text, 2, end - 2, StandardCharsets.US_ASCII))
          .isEqualTo(WireTime.text(Instant.ofEpochMilli(millis)));
    }
  }
}
