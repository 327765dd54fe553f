package io.orrery.orchestrator.experiment.store;

import io.orrery.core.bus.contract.Annotations;
import io.orrery.core.bus.contract.Annotations.Annotation;
import io.orrery.core.bus.contract.Annotations.Of;
import io.orrery.core.bus.contract.Annotations.Tags;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The notes and tags of experiments and trials; apart from their rows. */
public final class AnnotationTable {
  private static final String ONE = " where experiment = ? and trial = ?";

  /** In place of a trial where the experiment itself is meant. */
  private static final String ITSELF = "";

  private final Store store;

  public AnnotationTable(Store store) {
    this.store = store;
  }

  /** A row of the join: one for each tag, or one without. */
  private record NoteRow(String note, Instant changedAt, @Nullable String tag) {}

  /** The same with the trial that it is of. */
  private record TrialNoteRow(String trial, NoteRow note) {}

  /** A tag with the id of what has it. */
  private record TagRow(String id, String tag) {}

  public Future<Annotation> find(Of of) {
    return store
        .read(
            Statement.of(
                "select a.note, a.changed_at, t.tag from annotations a left join annotation_tags t"
                    + " on t.experiment = a.experiment and t.trial = a.trial"
                    + " where a.experiment = ? and a.trial = ?",
                of.experiment().value(),
                trial(of)),
            row -> new NoteRow(row.text("note"), row.instant("changed_at"), row.textOrNull("tag")))
        .map(AnnotationTable::annotation);
  }

  private static Annotation annotation(List<NoteRow> lines) {
    if (lines.isEmpty()) {
      return Annotation.NONE;
    }
    List<String> tags = lines.stream().map(NoteRow::tag).filter(Objects::nonNull).sorted().toList();
    return new Annotation(lines.getFirst().note(), tags, lines.getFirst().changedAt());
  }

  /** The annotations of some trials of an experiment. */
  public Future<Annotations.Several> several(ExperimentId experiment, List<TrialId> trials) {
    if (trials.isEmpty()) {
      return Future.succeededFuture(new Annotations.Several(Map.of()));
    }
    List<@Nullable Object> arguments = new ArrayList<>(List.of(experiment.value()));
    trials.forEach(trial -> arguments.add(trial.value()));
    String query =
        "select a.trial, a.note, a.changed_at, t.tag from annotations a"
            + " left join annotation_tags t on t.experiment = a.experiment and t.trial = a.trial"
            + " where a.experiment = ? and a.trial in ("
            + places(trials.size())
            + ")";
    return store
        .read(
            new Statement(query, arguments, null),
            row ->
                new TrialNoteRow(
                    row.text("trial"),
                    new NoteRow(
                        row.text("note"), row.instant("changed_at"), row.textOrNull("tag"))))
        .map(rows -> {
          Map<String, List<NoteRow>> byTrial = new TreeMap<>();
          rows.forEach(
              row -> byTrial.computeIfAbsent(row.trial(), id -> new ArrayList<>()).add(row.note()));
          Map<String, Annotation> annotations = new TreeMap<>();
          byTrial.forEach((trial, lines) -> annotations.put(trial, annotation(lines)));
          return new Annotations.Several(annotations);
        });
  }

  private static String places(int count) {
    return String.join(", ", Collections.nCopies(count, "?"));
  }

  /** The statements that change note, tags or both. */
  public static List<Statement> change(Annotations.Change change, Instant now) {
    String experiment = change.of().experiment().value();
    String trial = trial(change.of());
    List<Statement> statements = new ArrayList<>();
    statements.add(
        Statement.of(
            "insert into annotations (experiment, trial, note, changed_at) values (?, ?, ?, ?)"
                + " on conflict (experiment, trial) do update set"
                + " note = coalesce(?, annotations.note), changed_at = excluded.changed_at",
            experiment,
            trial,
            Objects.requireNonNullElse(change.note(), ""),
            now.toEpochMilli(),
            change.note()));
    List<String> tags = change.tags();
    if (tags != null) {
      statements.add(Statement.of("delete from annotation_tags" + ONE, experiment, trial));
      tags.stream()
          .distinct()
          .forEach(tag ->
              statements.add(
                  Statement.of(
                      "insert into annotation_tags (experiment, trial, tag) values (?, ?, ?)",
                      experiment,
                      trial,
                      tag)));
    }
    return statements;
  }

  public Future<Tags> ofExperiments(List<ExperimentId> experiments) {
    return tags(
        "select experiment as id, tag from annotation_tags where trial = ? and experiment in",
        ITSELF,
        experiments.stream().map(ExperimentId::value).toList());
  }

  public Future<Tags> ofTrials(ExperimentId experiment, List<TrialId> trials) {
    return tags(
        "select trial as id, tag from annotation_tags where experiment = ? and trial in",
        experiment.value(),
        trials.stream().map(TrialId::value).toList());
  }

  private Future<Tags> tags(String query, String first, List<String> ids) {
    if (ids.isEmpty()) {
      return Future.succeededFuture(new Tags(Map.of()));
    }
    List<@Nullable Object> arguments = new ArrayList<>(List.of(first));
    arguments.addAll(ids);
    return store
        .read(
            new Statement(query + " (" + places(ids.size()) + ")", arguments, null),
            row -> new TagRow(row.text("id"), row.text("tag")))
        .map(rows -> {
          Map<String, List<String>> byId = new TreeMap<>();
          rows.forEach(
              row -> byId.computeIfAbsent(row.id(), id -> new ArrayList<>()).add(row.tag()));
          byId.values().forEach(Collections::sort);
          return new Tags(byId);
        });
  }

  /** The statements that drop all of an experiment and its trials. */
  public static List<Statement> delete(ExperimentId experiment) {
    return List.of(
        Statement.of("delete from annotation_tags where experiment = ?", experiment.value()),
        Statement.of("delete from annotations where experiment = ?", experiment.value()));
  }

  private static String trial(Of of) {
    return of.trial() == null ? ITSELF : of.trial().value();
  }
}
