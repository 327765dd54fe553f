package io.orrery.gateway.experiment;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.bus.contract.Metrics;
import io.orrery.core.experiment.Experiment;
import io.orrery.core.experiment.ExperimentEvent;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.id.TrialRef;
import io.orrery.core.json.Json;
import io.orrery.core.metric.MetricKind;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.trial.Trial;
import io.orrery.gateway.http.Wire;
import io.orrery.gateway.live.Event;
import io.orrery.gateway.live.News;
import io.orrery.gateway.trial.TrialShape;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * News of one experiment. What a tenth of a second can bring is bounded: of more intermediate
 * results than a chart could draw the rest is only counted, and where more trials changed than a
 * page would want one by one, it is told to load them again.
 */
final class ExperimentNews implements News {
  static final int MOST_POINTS = 2_000;
  static final int MOST_TRIALS = 2_000;

  private @Nullable Experiment experiment;
  private final Map<TrialId, Trial> trials = new LinkedHashMap<>();

  /** By trial; the experiment's own under nothing. */
  private final Map<Optional<TrialId>, ExperimentEvent.Annotated> annotated = new LinkedHashMap<>();

  private final Set<TrialId> withdrawn = new LinkedHashSet<>();
  private final List<MetricPoint> points = new ArrayList<>();
  private long skipped;
  private boolean tooMuch;
  private @Nullable ExperimentId deleted;
  private boolean over;
  private @Nullable Event last;

  /** What the experiment is now, if no event has told it yet. */
  void know(Experiment now) {
    if (last == null && experiment == null) {
      last = event(now);
    }
  }

  void add(ExperimentEvent event) {
    switch (event) {
      case ExperimentEvent.Changed(Experiment now) -> experiment = now;
      case ExperimentEvent.TrialChanged(Trial trial) -> {
        trials.put(trial.ref().trial(), trial);
        bound();
      }
      case ExperimentEvent.TrialWithdrawn(TrialRef trial) -> {
        trials.remove(trial.trial());
        withdrawn.add(trial.trial());
        bound();
      }
      case ExperimentEvent.Annotated tagged -> {
        annotated.put(Optional.ofNullable(tagged.trial()), tagged);
        bound();
      }
      case ExperimentEvent.Deleted(ExperimentId id, _) -> deleted = id;
    }
  }

  void add(Metrics.Stored batch) {
    for (MetricPoint point : batch.points()) {
      if (point.value().isNamedOnly()) {
        continue; // no chart that listens shows it
      }
      if (points.size() < MOST_POINTS || point.kind() == MetricKind.FINAL) {
        points.add(point);
      } else {
        skipped++;
      }
    }
  }

  private void bound() {
    if (trials.size() + withdrawn.size() + annotated.size() > MOST_TRIALS) {
      tooMuch = true;
      annotated.clear();
      trials.clear();
      withdrawn.clear();
    }
  }

  @Override
  public List<Event> take() {
    List<Event> events = new ArrayList<>();
    if (tooMuch) {
      events.add(Event.RESET);
      tooMuch = false;
    }
    if (!trials.isEmpty() || !withdrawn.isEmpty()) {
      events.add(trials());
      trials.clear();
      withdrawn.clear();
    }
    annotated.values().forEach(tagged -> events.add(ListNews.annotated(tagged)));
    annotated.clear();
    if (!points.isEmpty()) {
      events.add(metrics());
      points.clear();
      skipped = 0;
    }
    if (experiment != null) {
      last = event(experiment);
      events.add(last);
      experiment = null;
    }
    if (deleted != null) {
      events.add(ListNews.deleted(deleted));
      over = true;
    }
    return events;
  }

  @Override
  public List<Event> greeting() {
    return last == null ? List.of() : List.of(last);
  }

  @Override
  public boolean over() {
    return over;
  }

  private static Event event(Experiment now) {
    return Event.of("experiment", ExperimentShape.whole(now));
  }

  private Event trials() {
    ObjectNode data = Json.MAPPER.createObjectNode();
    ArrayNode items = data.putArray("items");
    trials.values().forEach(trial -> items.add(TrialShape.of(trial)));
    ArrayNode gone = data.putArray("withdrawn");
    withdrawn.forEach(trial -> gone.add(trial.value()));
    return Event.of("trials", data);
  }

  private Event metrics() {
    ObjectNode data = Json.MAPPER.createObjectNode();
    ArrayNode items = data.putArray("items");
    for (MetricPoint point : points) {
      items
          .addObject()
          .put("trial", point.attempt().trial().trial().value())
          .put("attempt", point.attempt().number())
          .put("kind", point.kind().text())
          .put("sequence", point.sequence())
          .put("value", point.value().number())
          .put("time", Wire.time(point.time()));
    }
    return Event.of("metrics", data.put("skipped", skipped));
  }
}
