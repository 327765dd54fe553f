package io.orrery.orchestrator.spec;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.constraint.Constraint;
import io.orrery.core.constraint.Kind;
import io.orrery.core.experiment.AlgorithmSpec;
import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.experiment.FailureLimits;
import io.orrery.core.json.Document;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.schema.Field;
import io.orrery.core.schema.Keys;
import io.orrery.core.schema.Paths;
import io.orrery.core.schema.Places;
import io.orrery.core.schema.Schema;
import io.orrery.core.schema.Walk;
import io.orrery.core.space.SearchSpace;
import io.orrery.core.space.SpaceReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A change of a running experiment's limits or space. A component that is null leaves things as
 * they are.
 *
 * @param trialConcurrency 1 or more
 * @param maxTrialNumber the new limit
 * @param maxExperimentDuration the new limit
 * @param maxFailedTrials the new limit
 * @param maxFailuresInRow the new limit
 * @param searchSpace the new space
 */
public record LimitsPatch(
    @Nullable Integer trialConcurrency,
    @Nullable Limit<Long> maxTrialNumber,
    @Nullable Limit<Duration> maxExperimentDuration,
    @Nullable Limit<Long> maxFailedTrials,
    @Nullable Limit<Long> maxFailuresInRow,
    @Nullable SearchSpace searchSpace) {

  /**
   * A limit as it is to be.
   *
   * @param value null is unlimited
   */
  public record Limit<T>(@Nullable T value) {}

  private static final Schema SCHEMA =
      Schema.of(
          Field.of(
              "trialConcurrency",
              ExperimentSchema.TRIAL_CONCURRENCY.type(),
              ExperimentSchema.TRIAL_CONCURRENCY.meaning()),
          ExperimentSchema.MAX_TRIAL_NUMBER,
          ExperimentSchema.MAX_EXPERIMENT_DURATION,
          ExperimentSchema.MAX_FAILED_TRIALS,
          ExperimentSchema.MAX_FAILURES_IN_ROW,
          ExperimentSchema.SEARCH_SPACE);

  /**
   * Reads the body of a change request: a JSON object with any of these keys; null lifts a limit.
   * Keys and values are as in an experiment file.
   *
   * @param tuner of the experiment; one that is not ours may have a space of another form
   * @throws ProblemException Refused, with all findings
   */
  public static LimitsPatch read(String json, AlgorithmSpec tuner) {
    Document document = Document.read(json);
    JsonNode body = document.root();
    if (!body.isObject()) {
      throw new Problem.Refused(
              new Finding(
                  "", "a change is an object with any of " + String.join(", ", SCHEMA.names())))
          .toException();
    }
    Walk walk =
        new Walk(
            new Places(document),
            new Paths(null, Path.of("/"), null),
            UnaryOperator.identity(),
            UnknownKey::advice);
    ObjectNode changes = SCHEMA.read(body, "", walk);
    List<String> lifted = lifted(body, walk);
    SearchSpace space = null;
    if (changes.has("searchSpace")) {
      space = space(changes.get("searchSpace"), tuner, walk);
    }
    if (!walk.clean()) {
      throw Problem.Refused.of(walk.findings()).toException();
    }
    JsonNode span = changes.get("maxExperimentDuration");
    return new LimitsPatch(
        changes.has("trialConcurrency") ? changes.get("trialConcurrency").intValue() : null,
        limit("maxTrialNumber", changes, lifted),
        limit(
            lifted.contains("maxExperimentDuration"),
            span == null ? null : Duration.ofSeconds(span.longValue())),
        limit("maxFailedTrials", changes, lifted),
        limit("maxFailuresInRow", changes, lifted),
        space);
  }

  private static SearchSpace space(JsonNode given, AlgorithmSpec tuner, Walk walk) {
    if (tuner.isForeign()) {
      return SearchSpace.asGiven(given);
    }
    SpaceReader.Reading reading = SpaceReader.read(given, "/searchSpace");
    reading.findings().forEach(walk::add);
    return reading.space();
  }

  /**
   * The experiment as it is to be from now on, its canonical configuration included.
   *
   * @throws ProblemException Refused, when trials over the new space could not be started
   */
  public ExperimentSpec applyTo(ExperimentSpec spec) {
    FailureLimits failures = spec.limits().failures();
    ExperimentSpec changed =
        spec.withLimits(
                trialConcurrency == null ? spec.limits().trialConcurrency() : trialConcurrency,
                maxTrialNumber == null ? spec.limits().maxTrialNumber() : maxTrialNumber.value(),
                maxExperimentDuration == null
                    ? spec.limits().maxExperimentDuration()
                    : maxExperimentDuration.value())
            .withFailures(
                new FailureLimits(
                    maxFailedTrials == null ? failures.total() : maxFailedTrials.value(),
                    maxFailuresInRow == null ? failures.inRow() : maxFailuresInRow.value()));
    ObjectNode config = (ObjectNode) Json.parse(spec.description().config());
    config.put("trialConcurrency", changed.limits().trialConcurrency());
    Long most = changed.limits().maxTrialNumber();
    set(config, "maxTrialNumber", most);
    Duration longest = changed.limits().maxExperimentDuration();
    set(config, "maxExperimentDuration", longest == null ? null : longest.toSeconds());
    set(config, "maxFailedTrials", changed.limits().failures().total());
    set(config, "maxFailuresInRow", changed.limits().failures().inRow());
    if (searchSpace != null) {
      refuseUnknownNames(spec, searchSpace);
      changed = changed.withSearchSpace(constrained(spec, searchSpace));
      config.set("searchSpace", searchSpace.toNniJson());
    }
    return changed.withConfig(Json.write(config));
  }

  /** The constraints stay, so the new space must have the parameters that they speak of. */
  private static SearchSpace constrained(ExperimentSpec spec, SearchSpace space) {
    List<Constraint> constraints = spec.search().space().constraints();
    Map<String, Kind> kinds = spec.search().tuner().parameterShape(space).kinds();
    List<Finding> findings =
        constraints.stream()
            .flatMap(constraint ->
                constraint.check(kinds).stream()
                    .map(fault ->
                        new Finding(
                            "/searchSpace", "the constraint '" + constraint + "', " + fault)))
            .toList();
    if (!findings.isEmpty()) {
      throw Problem.Refused.of(findings).toException();
    }
    return space.under(constraints);
  }

  private static void refuseUnknownNames(ExperimentSpec spec, SearchSpace space) {
    if (spec.search().tuner().name() == null || space.isOpaque()) {
      return;
    }
    List<Finding> findings =
        CommandNames.check(spec.job().command(), spec.search().tuner().parameterShape(space))
            .values()
            .stream()
            .map(fault -> new Finding("/searchSpace", "trialCommand " + fault))
            .toList();
    if (!findings.isEmpty()) {
      throw Problem.Refused.of(findings).toException();
    }
  }

  private static void set(ObjectNode config, String key, @Nullable Long value) {
    if (value == null) {
      config.remove(key);
    } else {
      config.set(key, JsonNodeFactory.instance.numberNode(value));
    }
  }

  private static @Nullable Limit<Long> limit(String key, JsonNode changes, List<String> lifted) {
    JsonNode value = changes.get(key);
    return limit(lifted.contains(key), value == null ? null : (Long) value.longValue());
  }

  private static <T> @Nullable Limit<T> limit(boolean lifted, @Nullable T value) {
    return lifted || value != null ? new Limit<>(value) : null;
  }

  /** The limits that are null in the body; what cannot be lifted is refused. */
  private static List<String> lifted(JsonNode given, Walk walk) {
    List<String> lifted = new ArrayList<>();
    for (Map.Entry<String, JsonNode> entry : given.properties()) {
      if (!entry.getValue().isNull()) {
        continue;
      }
      Keys.find(entry.getKey(), SCHEMA.names())
          .ifPresent(name -> {
            if (name.startsWith("max")) {
              lifted.add(name);
            } else {
              walk.refuse("/" + name, "cannot be null: leave it out to leave it as it is");
            }
          });
    }
    return lifted;
  }
}
