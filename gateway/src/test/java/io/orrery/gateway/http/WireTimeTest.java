package io.orrery.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class WireTimeTest {
  private static final DateTimeFormatter LIBRARY =
      new DateTimeFormatterBuilder().appendInstant(3).toFormatter(Locale.ROOT);
  private static final long LAST = Instant.parse("9999-12-31T23:59:59.999Z").toEpochMilli();
  private static final long FIRST = Instant.parse("0000-01-01T00:00:00Z").toEpochMilli();

  @Test
  void writesWhatTheLibrarysFormatterWrites() {
    WireTime time = new WireTime();
    SplittableRandom chance = new SplittableRandom(1);
    long millis = 0;
    for (int i = 0; i < 100_000; i++) {
      millis =
          switch (i % 4) {
            case 0 -> chance.nextLong(FIRST, LAST - 200_000);
            case 1 -> chance.nextLong(LAST / 100);
            default -> millis + chance.nextLong(-60_000, 100_000);
          };
      byte[] text = new byte[2 + WireTime.LONGEST];
      int end = time.write(text, 2, millis);
      assertThat(new String(text, 2, end - 2, StandardCharsets.US_ASCII))
          .isEqualTo(LIBRARY.format(Instant.ofEpochMilli(millis)))
          .isEqualTo(WireTime.text(Instant.ofEpochMilli(millis)));
    }
  }
}
