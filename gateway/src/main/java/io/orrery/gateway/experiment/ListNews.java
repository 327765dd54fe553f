package io.orrery.gateway.experiment;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.experiment.Experiment;
import io.orrery.core.experiment.ExperimentEvent;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.json.Json;
import io.orrery.gateway.live.Event;
import io.orrery.gateway.live.News;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** News for a list of experiments: which of them changed, which are gone. */
final class ListNews implements News {
  private final Map<ExperimentId, Experiment> changed = new LinkedHashMap<>();
  private final Map<ExperimentId, ExperimentEvent.Annotated> annotated = new LinkedHashMap<>();
  private final Set<ExperimentId> deleted = new LinkedHashSet<>();

  void add(ExperimentEvent event) {
    switch (event) {
      case ExperimentEvent.Changed(Experiment experiment) ->
          changed.put(experiment.id(), experiment);
      case ExperimentEvent.Deleted(ExperimentId id, _) -> {
        changed.remove(id);
        annotated.remove(id);
        deleted.add(id);
      }
      case ExperimentEvent.Annotated tagged -> {
        if (tagged.trial() == null) {
          annotated.put(tagged.id(), tagged);
        }
      }
      case ExperimentEvent.TrialChanged ignored -> {}
      case ExperimentEvent.TrialWithdrawn ignored -> {}
    }
  }

  @Override
  public List<Event> take() {
    List<Event> events = new ArrayList<>();
    changed
        .values()
        .forEach(
            experiment -> events.add(Event.of("experiment", ExperimentShape.summary(experiment))));
    annotated.values().forEach(tagged -> events.add(annotated(tagged)));
    deleted.forEach(id -> events.add(deleted(id)));
    changed.clear();
    annotated.clear();
    deleted.clear();
    return events;
  }

  static Event annotated(ExperimentEvent.Annotated tagged) {
    ObjectNode data = Json.MAPPER.createObjectNode().put("id", tagged.id().value());
    TrialId trial = tagged.trial();
    data.put("trial", trial == null ? null : trial.value());
    data.set("tags", Json.MAPPER.valueToTree(tagged.tags()));
    return Event.of("annotated", data);
  }

  static Event deleted(ExperimentId id) {
    return Event.of("deleted", Json.MAPPER.createObjectNode().put("id", id.value()));
  }

  /** Nothing: the list itself can be as long as it likes, and is asked for in pages. */
  @Override
  public List<Event> greeting() {
    return List.of();
  }

  @Override
  public boolean over() {
    return false;
  }
}
