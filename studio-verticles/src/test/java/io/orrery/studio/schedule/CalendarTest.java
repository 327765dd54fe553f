package io.orrery.studio.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CalendarTest {
  private static List<Instant> next(String cron, String zone, String after, int count) {
    Calendar calendar = Calendar.of(List.of(cron.split("\\|")), ZoneId.of(zone));
    List<Instant> all = new ArrayList<>();
    Instant at = OffsetDateTime.parse(after).toInstant();
    for (int i = 0; i < count; i++) {
      at = calendar.next(at).orElseThrow();
      all.add(at);
    }
    return all;
  }

  private static List<Instant> instants(String texts) {
    return Arrays.stream(texts.strip().split("\\s+"))
        .map(text -> OffsetDateTime.parse(text).toInstant())
        .toList();
  }

  /** Both nights of four zones: an hour, an hour of the south, half an hour, at midnight. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          30 2 * * *; Europe/Berlin; 2026-03-28T00:00+01:00; 2026-03-28T02:30+01:00 2026-03-29T03:00+02:00 2026-03-30T02:30+02:00
          30 2 * * *; Europe/Berlin; 2026-10-24T00:00+02:00; 2026-10-24T02:30+02:00 2026-10-25T02:30+02:00 2026-10-26T02:30+01:00
          0 2,3 * * *; Europe/Berlin; 2026-03-28T20:00+01:00; 2026-03-29T03:00+02:00 2026-03-30T02:00+02:00
          0 1-4 * * *; Europe/Berlin; 2026-10-25T00:00+02:00; 2026-10-25T01:00+02:00 2026-10-25T02:00+02:00 2026-10-25T03:00+01:00 2026-10-25T04:00+01:00
          30 * * * *; Europe/Berlin; 2026-03-29T01:00+01:00; 2026-03-29T01:30+01:00 2026-03-29T03:30+02:00 2026-03-29T04:30+02:00
          30 * * * *; Europe/Berlin; 2026-10-25T01:00+02:00; 2026-10-25T01:30+02:00 2026-10-25T02:30+02:00 2026-10-25T02:30+01:00 2026-10-25T03:30+01:00
          0 * * * *; Europe/Berlin; 2026-03-29T00:30+01:00; 2026-03-29T01:00+01:00 2026-03-29T03:00+02:00 2026-03-29T04:00+02:00
          0 * * * *; Europe/Berlin; 2026-10-25T01:30+02:00; 2026-10-25T02:00+02:00 2026-10-25T02:00+01:00 2026-10-25T03:00+01:00
          15 2 * * *; America/New_York; 2026-03-07T12:00-05:00; 2026-03-08T03:00-04:00 2026-03-09T02:15-04:00
          30 1 * * *; America/New_York; 2026-10-31T12:00-04:00; 2026-11-01T01:30-04:00 2026-11-02T01:30-05:00
          */20 * * * *; America/New_York; 2026-03-08T01:30-05:00; 2026-03-08T01:40-05:00 2026-03-08T03:00-04:00 2026-03-08T03:20-04:00
          */30 * * * *; America/New_York; 2026-11-01T01:10-04:00; 2026-11-01T01:30-04:00 2026-11-01T01:00-05:00 2026-11-01T01:30-05:00 2026-11-01T02:00-05:00
          15 2 * * *; Australia/Lord_Howe; 2026-10-03T12:00+10:30; 2026-10-04T02:30+11:00 2026-10-05T02:15+11:00
          45 1 * * *; Australia/Lord_Howe; 2026-04-04T12:00+11:00; 2026-04-05T01:45+11:00 2026-04-06T01:45+10:30
          */15 * * * *; Australia/Lord_Howe; 2026-10-04T01:40+10:30; 2026-10-04T01:45+10:30 2026-10-04T02:30+11:00 2026-10-04T02:45+11:00
          */15 * * * *; Australia/Lord_Howe; 2026-04-05T01:40+11:00; 2026-04-05T01:45+11:00 2026-04-05T01:30+10:30 2026-04-05T01:45+10:30 2026-04-05T02:00+10:30
          0 0 * * *; America/Havana; 2026-03-07T12:00-05:00; 2026-03-08T01:00-04:00 2026-03-09T00:00-04:00
          30 0 * * *; America/Havana; 2026-10-31T12:00-04:00; 2026-11-01T00:30-04:00 2026-11-02T00:30-05:00
          0 * * * *; America/Havana; 2026-03-07T22:30-05:00; 2026-03-07T23:00-05:00 2026-03-08T01:00-04:00 2026-03-08T02:00-04:00
          0 * * * *; America/Havana; 2026-10-31T23:30-04:00; 2026-11-01T00:00-04:00 2026-11-01T00:00-05:00 2026-11-01T01:00-05:00
          """)
  void theNightsOnWhichClocksChange(String cron, String zone, String after, String expected) {
    List<Instant> wanted = instants(expected);

    assertThat(next(cron, zone, after, wanted.size())).isEqualTo(wanted);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          0 0 29 2 *; 2026-01-01T00:00Z; 2028-02-29T00:00Z 2032-02-29T00:00Z
          0 0 29 2 *; 2096-03-01T00:00Z; 2104-02-29T00:00Z
          0 0 31 * *; 2026-01-31T00:00Z; 2026-03-31T00:00Z 2026-05-31T00:00Z
          0 0 L * *; 2027-12-31T12:00Z; 2028-01-31T00:00Z 2028-02-29T00:00Z
          0 3 * * 1-5; 2026-11-27T12:00Z; 2026-11-30T03:00Z 2026-12-01T03:00Z
          0 3 * * MON,SUN; 2026-11-27T12:00Z; 2026-11-29T03:00Z 2026-11-30T03:00Z
          0 3 * * 7; 2026-11-27T12:00Z; 2026-11-29T03:00Z
          0 3 * * 0; 2026-11-27T12:00Z; 2026-11-29T03:00Z
          0 0 1 JAN-MAR *; 2026-11-27T12:00Z; 2027-01-01T00:00Z 2027-02-01T00:00Z
          0 0 13 * FRI; 2026-11-27T12:00Z; 2026-12-04T00:00Z 2026-12-11T00:00Z 2026-12-13T00:00Z
          0 0 * * MON#1; 2026-11-27T12:00Z; 2026-12-07T00:00Z
          1-59/20 4 * * *; 2026-11-27T12:00Z; 2026-11-28T04:01Z 2026-11-28T04:21Z
          10,50 * * * * *; 2026-11-27T12:00:20Z; 2026-11-27T12:00:50Z 2026-11-27T12:01:10Z
          * * * * * *; 2026-11-27T12:00:20.250Z; 2026-11-27T12:00:21Z 2026-11-27T12:00:22Z
          0 3 * * *|30 9 * * 6; 2026-11-27T12:00Z; 2026-11-28T03:00Z 2026-11-28T09:30Z 2026-11-29T03:00Z
          0 3 * * *|0 3 * * SAT; 2026-11-27T12:00Z; 2026-11-28T03:00Z 2026-11-29T03:00Z
          59 23 31 12 *; 2026-11-27T12:00Z; 2026-12-31T23:59Z
          """)
  void fieldsOfAllKinds(String cron, String after, String expected) {
    List<Instant> wanted = instants(expected);

    assertThat(next(cron, "UTC", after, wanted.size())).isEqualTo(wanted);
  }

  @Test
  void everyTenthMinuteOfTheYearIsDueOnceHoweverTheClocksChange() {
    for (String zone : List.of("Europe/Berlin", "Australia/Lord_Howe", "America/Havana")) {
      List<Instant> all = next("*/10 * * * *", zone, "2026-01-01T00:00Z", 365 * 24 * 6);

      for (int i = 1; i < all.size(); i++) {
        assertThat(all.get(i)).isEqualTo(all.get(i - 1).plusSeconds(600));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "* * * *",
        "* * * * * * *",
        "60 * * * *",
        "* 24 * * *",
        "* * 32 * *",
        "* * * 13 *",
        "* * * * 8",
        "a * * * *",
        "5-1-2 * * * *",
        "*/0 * * * *",
        "0 0 30 2 *",
        "0 0 31 4,6 *"
      })
  void whatIsNoExpressionIsRefusedInWords(String text) {
    assertThatThrownBy(() -> CronExpression.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .message()
        .isNotBlank();
  }
}
