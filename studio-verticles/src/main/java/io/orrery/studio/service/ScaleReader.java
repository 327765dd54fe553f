package io.orrery.studio.service;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.bus.contract.Services;
import io.orrery.studio.document.DocumentKeys;
import io.orrery.studio.scale.ScalePolicy;
import io.orrery.studio.scale.ScalePolicy.Hours;
import io.orrery.studio.scale.ScalePolicy.Measure;
import io.orrery.studio.scale.ScalePolicy.Target;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the key {@code scale} of a service's document. */
final class ScaleReader {
  private static final Pattern TERM =
      Pattern.compile("(rps|concurrency)[:=]([0-9]{1,9}(?:\\.[0-9]{1,3})?)");
  private static final Pattern USAGE =
      Pattern.compile("(cpu|mem|gpu)[:=](?:%[0-9]{1,3}|[0-9]{1,3}%)");
  private static final Pattern METRIC =
      Pattern.compile("metric[:=][a-zA-Z_:][a-zA-Z0-9_:]*[:=][0-9.]{1,12}");
  private static final Pattern HOURS =
      Pattern.compile("([0-9]{1,2})(?::([0-9]{2}))?~([0-9]{1,2})(?::([0-9]{2}))?:([0-9]{1,4})");
  private static final String FORM =
      "scale is one or more of rps:100 and concurrency:8 with commas between, or {schedule:"
          + " \"9~21:1,21~9:0\"}";

  /** The requests at once of each replica where a document says nothing, as Knative has it. */
  private static final double USUAL_CONCURRENCY = 100;

  private final DocumentKeys keys;
  private final Consumer<String> notices;
  private final List<Target> targets = new ArrayList<>();
  private final List<Hours> timetable = new ArrayList<>();

  private ScaleReader(DocumentKeys keys, Consumer<String> notices) {
    this.keys = keys;
    this.notices = notices;
  }

  /**
   * The policy of a document.
   *
   * @param least the smallest number of replicas
   * @param most the largest number of replicas
   * @return null when only people change the number
   */
  static @Nullable ScalePolicy read(
      DocumentKeys keys, int least, int most, Consumer<String> notices) {
    return new ScaleReader(keys, notices).read(least, most);
  }

  private @Nullable ScalePolicy read(int least, int most) {
    JsonNode value = keys.value("scale");
    if (value instanceof ObjectNode object) {
      DocumentKeys inner = keys.inner(object, "scale", List.of("schedule"));
      schedule(inner, inner.text("schedule", 1_000));
    } else {
      String text = keys.text("scale", 1_000);
      if (text != null) {
        for (String term : text.split("[,;]", -1)) {
          term(term.strip());
        }
      }
    }
    if (timetable.isEmpty() && least == most) {
      if (!targets.isEmpty()) {
        notices.accept("scale has no effect: replicas is always %d".formatted(least));
      }
      return null;
    }
    if (targets.isEmpty() && timetable.isEmpty()) {
      if (least > 0) {
        return null;
      }
      if (most > 1) {
        targets.add(new Target(Measure.CONCURRENCY, USUAL_CONCURRENCY));
      }
    }
    return new ScalePolicy(least, most, targets, timetable);
  }

  private void term(String term) {
    Matcher parts = TERM.matcher(term);
    if (parts.matches() && Double.parseDouble(parts.group(2)) > 0) {
      targets.add(
          new Target(
              parts.group(1).equals("rps") ? Measure.RPS : Measure.CONCURRENCY,
              Double.parseDouble(parts.group(2))));
    } else if (USAGE.matcher(term).matches()) {
      notices.accept(
          "%s is not measured for processes of this machine: the service does not scale by it"
              .formatted(term));
    } else if (METRIC.matcher(term).matches()) {
      keys.wrong("scale", "scaling by a metric of the service is not supported yet: " + term);
    } else {
      keys.wrong("scale", FORM + "; not '" + term + "'");
    }
  }

  private void schedule(DocumentKeys inner, @Nullable String text) {
    if (text == null) {
      keys.wrong("scale", FORM);
      return;
    }
    for (String term : text.split("[,;]", -1)) {
      Matcher parts = HOURS.matcher(term.strip());
      LocalTime from = parts.matches() ? time(parts.group(1), parts.group(2)) : null;
      LocalTime until = from == null ? null : time(parts.group(3), parts.group(4));
      if (from == null || until == null) {
        inner.wrong(
            "schedule",
            "a time of the schedule is from~until:replicas such as 9~21:1 or 8:30~21:2; not '"
                + term.strip()
                + "'");
        return;
      }
      int replicas = Integer.parseInt(parts.group(5));
      if (replicas > Services.MOST_REPLICAS) {
        inner.wrong("schedule", "a service has at most 1,000 replicas");
        return;
      }
      timetable.add(new Hours(from, until, replicas));
    }
  }

  /** The time of an hour from 0 to 24; null when it is none. */
  private static @Nullable LocalTime time(String hour, @Nullable String minute) {
    int hours = Integer.parseInt(hour);
    int minutes = minute == null ? 0 : Integer.parseInt(minute);
    return hours > 24 || minutes > 59 ? null : LocalTime.of(hours % 24, minutes);
  }
}
