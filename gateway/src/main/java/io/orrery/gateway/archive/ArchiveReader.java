package io.orrery.gateway.archive;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.access.ResourceOwner;
import io.orrery.core.bus.contract.Annotations;
import io.orrery.core.bus.contract.Annotations.Annotation;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.experiment.ExperimentStatus;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.id.TrialRef;
import io.orrery.core.json.Json;
import io.orrery.core.metric.MetricKind;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.trial.ParameterSet;
import io.orrery.core.trial.ParameterSource;
import io.orrery.core.trial.Parameters;
import io.orrery.core.trial.Trial;
import io.orrery.core.trial.TrialStatus;
import io.orrery.gateway.annotation.AnnotationReader;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads an archive. The first line that cannot be understood refuses it, with its number. */
final class ArchiveReader {
  private static final String SOURCE = "archive";
  private static final String CHANGED_AT = "changedAt";

  private final @Nullable String base;
  private final ResourceOwner ownership;
  private final boolean serverFiles;
  private final List<Trial> trials = new ArrayList<>();
  private final List<MetricPoint> points = new ArrayList<>();
  private final List<Annotations.Brought> annotations = new ArrayList<>();

  /**
   * @param base what relative paths of the configuration start from; null allows absolute ones only
   * @param ownership of the experiment that is restored
   * @param serverFiles whether its author may name files of the server
   */
  ArchiveReader(@Nullable String base, ResourceOwner ownership, boolean serverFiles) {
    this.serverFiles = serverFiles;
    this.base = base;
    this.ownership = ownership;
  }

  Experiments.Restore read(String text) {
    Iterator<String> lines = text.lines().iterator();
    JsonNode head = lines.hasNext() ? parsed(lines.next(), 1) : Json.MAPPER.nullNode();
    if (!head.path("format").asText().equals(ArchiveShape.FORMAT)) {
      throw refused(1, "the first line of an archive has the format '" + ArchiveShape.FORMAT + "'");
    }
    ExperimentId id = id(head);
    annotation(new Annotations.Of(id, null), head, 1);
    for (int number = 2; lines.hasNext(); number++) {
      String line = lines.next();
      if (!line.isBlank()) {
        trial(id, parsed(line, number), number);
      }
    }
    Instant created = time(head, "createdAt", 1);
    if (created == null) {
      throw refused(1, "createdAt is missing");
    }
    return new Experiments.Restore(
        new Experiments.Create(
            head.path("config").toString(), base, false, id, ownership, serverFiles),
        word(head, "status", ExperimentStatus.class, 1),
        Math.max(0, head.path("executionSeconds").asDouble()),
        created,
        time(head, "startedAt", 1),
        time(head, "endedAt", 1),
        trials,
        points,
        annotations);
  }

  private static ExperimentId id(JsonNode head) {
    String id = head.path("id").asText();
    if (!ExperimentId.valid(id)) {
      throw refused(1, "'" + id + "' is no id of an experiment");
    }
    return new ExperimentId(id);
  }

  private void trial(ExperimentId experiment, JsonNode json, int line) {
    String id = json.path("id").asText();
    if (!TrialId.valid(id)) {
      throw refused(line, "'" + id + "' is no id of a trial");
    }
    JsonNode sequence = json.path("sequenceId");
    if (!sequence.isIntegralNumber() || sequence.longValue() < 0) {
      throw refused(line, "sequenceId is a whole number from 0");
    }
    TrialRef ref = new TrialRef(experiment, new TrialId(id));
    Instant created = time(json, "createdAt", line);
    int attempt = Math.clamp(json.path("attempt").asInt(1), 1, 1_000_000);
    JsonNode metric = json.path("metric");
    trials.add(
        new Trial(
            ref,
            sequence.longValue(),
            word(json, "status", TrialStatus.class, line),
            json.path("reason").textValue(),
            attempt,
            sets(json, line),
            metric.isMissingNode() || metric.isNull() ? null : value(metric, line),
            json.path("exitCode").isInt() ? json.path("exitCode").intValue() : null,
            json.path("directory").textValue(),
            created == null ? Instant.EPOCH : created,
            time(json, "startedAt", line),
            time(json, "endedAt", line),
            List.of()));
    annotation(new Annotations.Of(experiment, ref.trial()), json, line);
    AttemptRef of = new AttemptRef(ref, attempt);
    long ordinal = 0;
    for (JsonNode point : json.path("points")) {
      points.add(point(of, ordinal++, point, line));
    }
  }

  /** Older archives have no notes and tags. */
  private void annotation(Annotations.Of of, JsonNode json, int line) {
    JsonNode given = json.path(ArchiveShape.ANNOTATION);
    if (given.isMissingNode()) {
      return;
    }
    if (!(given instanceof ObjectNode annotation)) {
      throw refused(line, "annotation is an object with note and tags");
    }
    Instant changedAt = time(annotation, CHANGED_AT, line);
    annotation.remove(CHANGED_AT);
    try {
      Annotations.Change read = AnnotationReader.read(of, annotation);
      annotations.add(
          new Annotations.Brought(
              of.trial(),
              new Annotation(
                  Objects.requireNonNullElse(read.note(), ""),
                  Objects.requireNonNullElse(read.tags(), List.of()),
                  changedAt)));
    } catch (ProblemException e) {
      throw refused(line, "annotation: " + e.problem().detail());
    }
  }

  private static List<ParameterSet> sets(JsonNode trial, int line) {
    List<ParameterSet> sets = new ArrayList<>();
    boolean several = trial.path("parameters").size() > 1;
    for (JsonNode given : trial.path("parameters")) {
      if (!given.has("parameters")) {
        throw refused(line, "a set of parameters is an object with 'parameters'");
      }
      JsonNode id = given.path("parameter_id");
      sets.add(
          new ParameterSet(
              sets.size(),
              id.isMissingNode() || id.isNull() ? null : id.asText(),
              source(given.path("parameter_source").asText()),
              Parameters.ofValue(Json.MAPPER.convertValue(given.get("parameters"), Object.class)),
              several ? result(trial, given, line) : null));
    }
    if (sets.isEmpty()) {
      throw refused(line, "a trial has at least one set of parameters");
    }
    return sets;
  }

  /** What came of one of several sets: it is told, or was reported under the set's name. */
  private static @Nullable MetricValue result(JsonNode trial, JsonNode set, int line) {
    if (set.has("result")) {
      return value(set.path("result"), line);
    }
    MetricValue last = null;
    for (JsonNode point : trial.path("points")) {
      if (point.path("kind").asText().equals(MetricKind.FINAL.text())
          && point.path("parameterId").asText("").equals(set.path("parameter_id").asText(""))) {
        last = value(point.path("value"), line);
      }
    }
    return last;
  }

  /** An unknown word means that no tuner of ours can be asked about it. */
  private static ParameterSource source(String word) {
    return Objects.requireNonNullElse(ParameterSource.of(word), ParameterSource.CUSTOMIZED);
  }

  private static MetricPoint point(AttemptRef attempt, long ordinal, JsonNode json, int line) {
    String kind = json.path("kind").asText();
    MetricKind known =
        Arrays.stream(MetricKind.values())
            .filter(k -> k.text().equals(kind))
            .findFirst()
            .orElseThrow(
                () -> refused(line, "a point is intermediate or final, not '" + kind + "'"));
    return new MetricPoint(
        attempt,
        SOURCE,
        ordinal,
        known,
        Math.max(0, json.path("sequence").asLong()),
        json.path("parameterId").textValue(),
        json.path("time").asLong(),
        value(json.path("value"), line));
  }

  private static MetricValue value(JsonNode json, int line) {
    try {
      return MetricValue.of(json);
    } catch (ProblemException e) {
      throw refused(line, e.problem().detail());
    }
  }

  private static <E extends Enum<E>> E word(JsonNode json, String member, Class<E> type, int line) {
    String word = json.path(member).asText().toUpperCase(Locale.ROOT);
    return Arrays.stream(Objects.requireNonNull(type.getEnumConstants()))
        .filter(constant -> constant.name().equals(word))
        .findFirst()
        .orElseThrow(
            () -> refused(line, member + " is one of " + Arrays.toString(type.getEnumConstants())));
  }

  private static @Nullable Instant time(JsonNode json, String member, int line) {
    JsonNode text = json.path(member);
    if (text.isMissingNode() || text.isNull()) {
      return null;
    }
    try {
      return Instant.parse(text.asText());
    } catch (DateTimeException e) {
      throw refused(line, member + " is a time such as 2026-01-31T12:00:00Z");
    }
  }

  private static JsonNode parsed(String line, int number) {
    try {
      return Json.parse(line);
    } catch (ProblemException e) {
      throw refused(number, e.problem().detail());
    }
  }

  private static ProblemException refused(int line, String message) {
    return new Problem.Refused(new Finding("", message, line)).toException();
  }
}
