package io.orrery.tuner.host;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.bus.contract.Trials.Settled;
import io.orrery.core.bus.contract.Tuners.Suggestion;
import io.orrery.core.bus.contract.Tuners.Suggestions;
import io.orrery.core.json.Json;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.problem.Problem;
import io.orrery.core.space.ParameterShape;
import io.orrery.core.space.SearchSpace;
import io.orrery.core.trial.Parameters;
import io.orrery.core.trial.TrialStatus;
import io.orrery.tuner.assess.Assessor.Verdict;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A tuner or advisor that was written for NNI: a class of the user's own, or whatever NNI's own
 * dispatcher runs.
 *
 * <p>It is not a function of its past, so it is brought up as NNI does it: what trials of before
 * have reported comes as {@code import_data}, of those that still run it learns the numbers, and
 * when one of them ends its result is imported as well. Only trials that this very process has
 * suggested are told by {@code receive_trial_result}.
 */
final class CustomTuner implements HostedTuner {
  /** Results that are handed over at a time. */
  private static final int BATCH = 1_000;

  /** How often it is asked again in place of what breaks a constraint. */
  private static final int ROUNDS = 1_000;

  private final NniAlgorithm algorithm;
  private SearchSpace space;

  /** Suggested by this process, and not settled. */
  private final Set<String> own = new HashSet<>();

  /** Suggested by an earlier one, and not settled as far as is known. */
  private final Map<String, Parameters> before = new LinkedHashMap<>();

  private final ArrayNode results = Json.MAPPER.createArrayNode();
  private long lastNumber = -1;
  private boolean asked;

  CustomTuner(NniAlgorithm algorithm, SearchSpace space) {
    this.algorithm = algorithm;
    this.space = space;
  }

  /** It goes on with another space. */
  void searchIn(SearchSpace next) {
    space = next;
  }

  @Override
  public void remember(Suggestion suggestion) {
    String id = suggestion.parameterId();
    before.put(id, suggestion.parameters());
    if (id.matches("\\d{1,18}")) {
      lastNumber = Math.max(lastNumber, Long.parseLong(id));
    }
  }

  @Override
  public void learn(Settled settled) throws InterruptedException {
    String id = settled.parameterId();
    if (id == null ? asked : own.remove(id)) {
      algorithm.result(
          id,
          settled.parameters(),
          settled.trial().value(),
          value(settled.result()),
          settled.status());
      return;
    }
    if (id != null) {
      before.remove(id);
    }
    JsonNode value = value(settled.result());
    if (!value.isNull() && fits(settled.parameters())) {
      ObjectNode result = results.addObject();
      result.set("parameter", PythonTuner.json(settled.parameters()));
      result.set("value", value);
    }
    if (results.size() >= BATCH) {
      handOverResults();
    }
  }

  @Override
  public Suggestions suggest(int count, long firstNumber) throws InterruptedException {
    if (!asked) {
      handOverUnfinished();
      asked = true;
    }
    handOverResults();
    Suggestions answer = next(count);
    // It has nothing to hear of meanwhile: it owes an answer, and is waited for as any other is.
    while (answer.thinking() && answer.items().isEmpty() && own.isEmpty() && before.isEmpty()) {
      answer = next(count);
    }
    return answer;
  }

  private Suggestions next(int count) throws InterruptedException {
    List<Suggestion> items = new ArrayList<>();
    for (int round = 0; round < ROUNDS && items.size() < count; round++) {
      int missing = count - items.size();
      List<Suggestion> given = algorithm.suggest(missing);
      for (Suggestion suggestion : given) {
        if (space.allows(suggestion.parameters().values())) {
          items.add(suggestion);
          own.add(suggestion.parameterId());
        } else {
          decline(suggestion);
        }
      }
      if (given.size() < missing || items.size() == count) {
        return new Suggestions(items, false, items.size() < count && algorithm.thinks());
      }
    }
    throw new Problem.Broken(
            "it suggested what breaks the constraints %d times in a row".formatted(ROUNDS))
        .toException();
  }

  /** To the tuner it is a trial that failed at once: another way to say so NNI has not. */
  private void decline(Suggestion suggestion) throws InterruptedException {
    algorithm.result(
        suggestion.parameterId(),
        suggestion.parameters(),
        "declined",
        Json.MAPPER.nullNode(),
        TrialStatus.FAILED);
  }

  @Override
  public Verdict assess(String trial, @Nullable String parameterId, List<MetricPoint> points)
      throws InterruptedException {
    ArrayNode history = CustomAssessor.history(points);
    boolean bad = !history.isEmpty() && algorithm.isBad(parameterId, trial, history);
    return bad ? new Verdict.Bad("the advisor ended the trial") : new Verdict.Good();
  }

  @Override
  public void close() {
    algorithm.close();
  }

  private void handOverUnfinished() throws InterruptedException {
    if (lastNumber >= 0 || !before.isEmpty()) {
      algorithm.unfinished(before, lastNumber);
    }
  }

  private void handOverResults() throws InterruptedException {
    if (!results.isEmpty()) {
      ArrayNode data = results.deepCopy();
      results.removeAll();
      algorithm.importData(data);
    }
  }

  /** Whether every parameter of the space is there, with a value that it has. */
  private boolean fits(Parameters parameters) {
    Map<String, @Nullable Object> known = new LinkedHashMap<>(parameters.values());
    // What the user's class adds of its own is its own business.
    known.keySet().retainAll(space.dimensions().keySet());
    ParameterShape.Verdict verdict = ParameterShape.of(space).judge(known);
    return verdict.findings().isEmpty() && verdict.notices().isEmpty();
  }

  /** Null when there is no finite number in it: no algorithm of NNI's expects anything else. */
  static JsonNode value(@Nullable MetricValue value) {
    return value == null || !Double.isFinite(value.number())
        ? Json.MAPPER.nullNode()
        : Json.parse(value.toJson());
  }
}
