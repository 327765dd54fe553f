package io.orrery.studio.schedule;

import com.cronutils.model.Cron;
import com.cronutils.model.definition.CronDefinition;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** A cron expression of five fields, or of six with seconds first, in local times. */
final class CronExpression {
  private static final int MOST_CHARACTERS = 200;
  private static final CronDefinition DEFINITION =
      CronDefinitionBuilder.defineCron()
          .withSeconds()
          .and()
          .withMinutes()
          .and()
          .withHours()
          .and()
          .withDayOfMonth()
          .supportsL()
          .and()
          .withMonth()
          .and()
          .withDayOfWeek()
          .withValidRange(0, 7)
          .withMondayDoWValue(1)
          .withIntMapping(7, 0)
          .supportsHash()
          .and()
          .instance();

  private final String text;
  private final ExecutionTime times;
  private final boolean hourly;

  private CronExpression(String text, ExecutionTime times, boolean hourly) {
    this.text = text;
    this.times = times;
    this.hourly = hourly;
  }

  /**
   * Reads an expression.
   *
   * @throws IllegalArgumentException with the fault in words
   */
  static CronExpression parse(String written) {
    String text = written.strip().replaceAll("\\s+", " ");
    if (text.isEmpty() || text.length() > MOST_CHARACTERS) {
      throw new IllegalArgumentException(
          "an expression has 1 to %d characters".formatted(MOST_CHARACTERS));
    }
    String[] fields = text.split(" ", -1);
    if (fields.length != 5 && fields.length != 6) {
      throw new IllegalArgumentException(
          ("'%s' has %d fields: there are five (minute, hour, day of the month, month, day of the"
                  + " week), or six with seconds first")
              .formatted(text, fields.length));
    }
    Cron cron;
    try {
      cron = new CronParser(DEFINITION).parse(fields.length == 5 ? "0 " + text : text).validate();
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("'%s': %s".formatted(text, e.getMessage()), e);
    }
    String hours = fields[fields.length - 4];
    CronExpression read =
        new CronExpression(
            text,
            ExecutionTime.forCron(cron),
            hours.equals("*") || hours.equals("*/1") || hours.equals("0-23"));
    if (read.next(LocalDateTime.of(2024, 1, 1, 0, 0)).isEmpty()) {
      throw new IllegalArgumentException("'%s' never comes".formatted(text));
    }
    return read;
  }

  /** Whether it says nothing about the hour, so that it goes by time that passes. */
  boolean hourly() {
    return hourly;
  }

  /** The first local time after another. */
  Optional<LocalDateTime> next(LocalDateTime after) {
    return times
        .nextExecution(ZonedDateTime.of(after.truncatedTo(ChronoUnit.SECONDS), ZoneOffset.UTC))
        .map(ZonedDateTime::toLocalDateTime);
  }

  @Override
  public String toString() {
    return text;
  }
}
