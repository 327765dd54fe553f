package io.orrery.studio.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.bus.contract.Schedules.Missed;
import io.orrery.core.problem.Finding;
import io.orrery.core.text.Nearest;
import io.orrery.studio.document.DocumentKeys;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The key {@code schedule} of a pipeline's document.
 *
 * @param from the instant before which nothing is due; null for none
 * @param dependsOnPast whether a due run waits until the one before it has succeeded
 * @param maxActiveRuns the most runs of the schedule that are under way at once
 * @param keep the number of due runs that are kept when they are over
 */
public record PipelineSchedule(
    List<String> cron,
    ZoneId zone,
    @Nullable Instant from,
    boolean dependsOnPast,
    int maxActiveRuns,
    int keep,
    Missed missed) {
  public static final List<String> KEYS =
      List.of("cron", "timeZone", "from", "dependsOnPast", "maxActiveRuns", "keep", "missed");

  private static final int MOST_EXPRESSIONS = 20;
  private static final int MOST_ACTIVE = 1_000;
  private static final int MOST_KEPT = 10_000;
  private static final int USUALLY_KEPT = 1_000;

  public PipelineSchedule {
    cron = List.copyOf(cron);
  }

  /**
   * Reads a schedule.
   *
   * @param pointer to it in its document
   * @param findings told of everything that is wrong
   * @return null when something is wrong
   */
  public static @Nullable PipelineSchedule read(
      ObjectNode json, String pointer, Consumer<Finding> findings) {
    boolean[] wrong = {false};
    DocumentKeys keys =
        DocumentKeys.of(
            json,
            pointer,
            KEYS,
            finding -> {
              wrong[0] = true;
              findings.accept(finding);
            });
    Integer active = keys.integer("maxActiveRuns", 1, MOST_ACTIVE);
    Integer keep = keys.integer("keep", 1, MOST_KEPT);
    PipelineSchedule read =
        new PipelineSchedule(
            cron(keys),
            zone(keys),
            from(keys),
            keys.flag("dependsOnPast", false),
            active == null ? 1 : active,
            keep == null ? USUALLY_KEPT : keep,
            missed(keys));
    return wrong[0] ? null : read;
  }

  private static List<String> cron(DocumentKeys keys) {
    JsonNode value = keys.value("cron");
    List<String> expressions = new ArrayList<>();
    if (value == null) {
      keys.wrong("cron", "a schedule has a cron expression such as \"0 3 * * 1-5\"");
    } else if (value.isTextual()) {
      expression(value.asText(), keys, expressions);
    } else if (value.isArray() && !value.isEmpty()) {
      for (JsonNode item : keys.list("cron", MOST_EXPRESSIONS)) {
        expression(item.isTextual() ? item.asText() : "", keys, expressions);
      }
    } else {
      keys.wrong("cron", "cron is an expression such as \"0 3 * * 1-5\", or a list of them");
    }
    return expressions;
  }

  private static void expression(String text, DocumentKeys keys, List<String> into) {
    try {
      into.add(CronExpression.parse(text).toString());
    } catch (IllegalArgumentException e) {
      keys.wrong("cron", String.valueOf(e.getMessage()));
    }
  }

  private static ZoneId zone(DocumentKeys keys) {
    String text = keys.text("timeZone", 60);
    if (text == null) {
      return ZoneOffset.UTC;
    }
    try {
      return ZoneId.of(text);
    } catch (DateTimeException e) {
      keys.wrong(
          "timeZone",
          "there is no time zone '%s'%s: one is such as Europe/Berlin or UTC"
              .formatted(text, Nearest.hint(text, ZoneId.getAvailableZoneIds())));
      return ZoneOffset.UTC;
    }
  }

  private static @Nullable Instant from(DocumentKeys keys) {
    String text = keys.text("from", 60);
    if (text == null) {
      return null;
    }
    try {
      return OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeException e) {
      keys.wrong("from", "from is an instant such as 2026-11-01T00:00:00Z, not " + text);
      return null;
    }
  }

  private static Missed missed(DocumentKeys keys) {
    String text = keys.text("missed", 20);
    if (text == null) {
      return Missed.ALL;
    }
    Stream<Missed> all = Arrays.stream(Missed.values());
    return all.filter(each -> word(each).equals(text))
        .findFirst()
        .orElseGet(() -> {
          keys.wrong("missed", "missed is all, latest or none, not " + text);
          return Missed.ALL;
        });
  }

  private static String word(Missed missed) {
    return missed.name().toLowerCase(Locale.ROOT);
  }

  /** The instants at which it is due. */
  public Calendar calendar() {
    return Calendar.of(cron, zone);
  }

  /** The part of it that decides what is due: after a change of it, the schedule begins anew. */
  public String timing() {
    return String.join("\n", cron) + "\n" + zone + "\n" + from;
  }

  /** The instant up to which nothing is due when it begins now. */
  public Instant begins(Instant now) {
    return from != null && from.isAfter(now) ? from.minusMillis(1) : now;
  }
}
