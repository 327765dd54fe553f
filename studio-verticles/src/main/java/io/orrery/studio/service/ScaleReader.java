package io.orrery.studio.service;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.bus.contract.Services;
import io.orrery.core.bus.contract.Usages;
import io.orrery.core.workload.Amount;
import io.orrery.core.workload.Readings;
import io.orrery.core.workload.Resources;
import io.orrery.studio.document.DocumentKeys;
import io.orrery.studio.scale.ScalePolicy;
import io.orrery.studio.scale.ScalePolicy.Hours;
import io.orrery.studio.scale.ScalePolicy.Measure;
import io.orrery.studio.scale.ScalePolicy.MetricsEndpoint;
import io.orrery.studio.scale.ScalePolicy.Target;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the key {@code scale} of a service's document. */
final class ScaleReader {
  private static final Pattern TERM =
      Pattern.compile("(rps|concurrency)[:=]([0-9]{1,9}(?:\\.[0-9]{1,3})?)");
  private static final Pattern USAGE =
      Pattern.compile("(cpu|mem|gpu)[:=](?:%([0-9]{1,3})|([0-9]{1,3})%)");
  private static final Pattern METRIC =
      Pattern.compile(
          "metric[:=]([a-zA-Z_:][a-zA-Z0-9_:]{0,199})[:=]([0-9]{1,12}(?:\\.[0-9]{1,6})?)");
  private static final Pattern HOURS =
      Pattern.compile("([0-9]{1,2})(?::([0-9]{2}))?~([0-9]{1,2})(?::([0-9]{2}))?:([0-9]{1,4})");
  private static final String FORM =
      "scale is one or more of rps:100, concurrency:8, cpu:50%, mem:50%, gpu:50% and"
          + " metric:NAME:10 with commas between, or {schedule: \"9~21:1,21~9:0\"}";

  /** The requests at once of each replica where a document says nothing, as Knative has it. */
  private static final double USUAL_CONCURRENCY = 100;

  private static final double THOUSANDTHS = 1_000;

  private final DocumentKeys keys;
  private final Resources resources;
  private final @Nullable MetricsEndpoint metrics;
  private final Consumer<String> notices;
  private final List<Target> targets = new ArrayList<>();
  private final List<Hours> timetable = new ArrayList<>();

  private ScaleReader(
      DocumentKeys keys,
      Resources resources,
      @Nullable MetricsEndpoint metrics,
      Consumer<String> notices) {
    this.keys = keys;
    this.resources = resources;
    this.metrics = metrics;
    this.notices = notices;
  }

  /**
   * The policy of a document.
   *
   * @param least the smallest number of replicas
   * @param most the largest number of replicas
   * @param resources of which shares are taken
   * @param metrics the endpoint of the service; null when it has none
   * @return null when only people change the number
   */
  static @Nullable ScalePolicy read(
      DocumentKeys keys,
      int least,
      int most,
      Resources resources,
      @Nullable MetricsEndpoint metrics,
      Consumer<String> notices) {
    return new ScaleReader(keys, resources, metrics, notices).read(least, most);
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
    boolean asks = targets.stream().anyMatch(target -> target.measure() == Measure.METRIC);
    return new ScalePolicy(least, most, targets, timetable, asks ? metrics : null);
  }

  private void term(String term) {
    Matcher parts = TERM.matcher(term);
    if (parts.matches() && Double.parseDouble(parts.group(2)) > 0) {
      targets.add(
          new Target(
              parts.group(1).equals("rps") ? Measure.RPS : Measure.CONCURRENCY,
              Double.parseDouble(parts.group(2))));
    } else if (USAGE.matcher(term).matches()) {
      use(term);
    } else if (METRIC.matcher(term).matches()) {
      metric(term);
    } else {
      keys.wrong("scale", FORM + "; not '" + term + "'");
    }
  }

  /** A share of what the document asks for, as Kubernetes takes it of the request. */
  private void use(String term) {
    Matcher parts = USAGE.matcher(term);
    int percent =
        parts.matches()
            ? Integer.parseInt(Objects.requireNonNullElse(parts.group(2), parts.group(3)))
            : 0;
    if (percent == 0) {
      keys.wrong("scale", "a share is 1%% or more, not '%s'".formatted(term));
      return;
    }
    String what = parts.group(1);
    double asked =
        switch (what) {
          case "cpu" -> asked(resources.cpu()) / THOUSANDTHS;
          case "mem" -> asked(resources.memory());
          default -> resources.gpus();
        };
    if (asked == 0) {
      notices.accept(
          "the service does not scale by %s: it is a share of resources.%s, which is not given"
              .formatted(term, what.equals("mem") ? "memory" : what));
      return;
    }
    Measure measure =
        switch (what) {
          case "cpu" -> Measure.CPU;
          case "mem" -> Measure.MEMORY;
          default -> Measure.GPU;
        };
    targets.add(new Target(measure, asked * percent / 100));
  }

  private static double asked(Amount amount) {
    return amount.least() > 0 ? amount.least() : amount.most();
  }

  private void metric(String term) {
    Matcher parts = METRIC.matcher(term);
    double each = parts.matches() ? Double.parseDouble(parts.group(2)) : 0;
    if (each == 0) {
      keys.wrong("scale", "a replica is to have more than 0 of a metric, not '" + term + "'");
    } else if (metrics == null) {
      keys.wrong(
          "scale",
          "%s is read from the service itself: say where with metrics, such as 8080:/metrics"
              .formatted(term));
    } else if (Set.of(Readings.CPU, Readings.MEMORY, Readings.GPU).contains(parts.group(1))) {
      keys.wrong("scale", "%s has the name of what is measured here".formatted(term));
    } else if (metricsOf(targets) == Usages.MOST_METRICS) {
      keys.wrong("scale", "a service scales by at most 20 metrics");
    } else {
      targets.add(new Target(Measure.METRIC, each, parts.group(1)));
    }
  }

  private static long metricsOf(List<Target> targets) {
    return targets.stream().filter(target -> target.measure() == Measure.METRIC).count();
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
