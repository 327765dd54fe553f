package io.orrery.core.trial;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.text.Nearest;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** A field by which trials can be ordered and filtered, written as users see it in a trial. */
public sealed interface TrialField {
  /** The kind of a field's values. */
  enum Kind {
    /** A number, not-finite ones included. */
    NUMBER,
    TEXT,
    /** An instant. */
    TIME,
    /** Whatever a user put there: numbers, words, truths. */
    ANY
  }

  /** As a user writes it. */
  @JsonValue
  String text();

  Kind kind();

  /** Fields that every trial has. */
  enum Standard implements TrialField {
    SEQUENCE_ID("sequenceId", Kind.NUMBER),
    ID("id", Kind.TEXT),
    STATUS("status", Kind.TEXT),
    METRIC("metric", Kind.NUMBER),
    /** Seconds from start to end; none while it runs. */
    DURATION("duration", Kind.NUMBER),
    STARTED_AT("startedAt", Kind.TIME),
    ENDED_AT("endedAt", Kind.TIME),
    ATTEMPT("attempt", Kind.NUMBER),
    EXIT_CODE("exitCode", Kind.NUMBER),
    PARAMETER_SOURCE("parameterSource", Kind.TEXT),
    REASON("reason", Kind.TEXT),
    /** One of several; the first of them where trials are ordered by it. */
    TAG("tag", Kind.TEXT);

    private final String text;
    private final Kind kind;

    Standard(String text, Kind kind) {
      this.text = text;
      this.kind = kind;
    }

    @Override
    @JsonValue
    public String text() {
      return text;
    }

    @Override
    public Kind kind() {
      return kind;
    }
  }

  /** A parameter of the current set; of a nested choice its {@code _name}. */
  record Parameter(String name) implements TrialField {
    @Override
    @JsonValue
    public String text() {
      return PARAMETERS + name;
    }

    @Override
    public Kind kind() {
      return Kind.ANY;
    }
  }

  /** An entry of a final result that is an object. */
  record MetricKey(String key) implements TrialField {
    @Override
    @JsonValue
    public String text() {
      return METRICS + key;
    }

    @Override
    public Kind kind() {
      return Kind.ANY;
    }
  }

  String PARAMETERS = "parameters.";
  String METRICS = "metric.";

  /** The metric that a key names: {@code default} is the trial's own. */
  static TrialField metric(String key) {
    return key.equals("default") ? Standard.METRIC : new MetricKey(key);
  }

  /**
   * Reads what a user wrote.
   *
   * @throws io.orrery.core.problem.ProblemException Refused, with what there is
   */
  @JsonCreator
  static TrialField parse(String text) {
    if (text.startsWith(PARAMETERS) && text.length() > PARAMETERS.length()) {
      return new Parameter(text.substring(PARAMETERS.length()));
    }
    if (text.startsWith(METRICS) && text.length() > METRICS.length()) {
      return metric(text.substring(METRICS.length()));
    }
    return Arrays.stream(Standard.values())
        .filter(field -> field.text().equals(text))
        .findFirst()
        .orElseThrow(() -> unknown(text).toException());
  }

  private static Problem unknown(String text) {
    List<String> known =
        Stream.concat(
                Arrays.stream(Standard.values()).map(Standard::text),
                Stream.of(METRICS + "<key>", PARAMETERS + "<name>"))
            .toList();
    return new Problem.Refused(
        new Finding(
            "",
            "trials have no '"
                + text
                + "'"
                + Nearest.hint(text, known)
                + ": there are "
                + String.join(", ", known)));
  }
}
