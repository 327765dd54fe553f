package io.orrery.tuner.host;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.bus.contract.Tuners.Suggestion;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Problem;
import io.orrery.core.space.SearchSpace;
import io.orrery.core.trial.ParameterRecord;
import io.orrery.core.trial.ParameterSet;
import io.orrery.core.trial.ParameterSource;
import io.orrery.core.trial.Parameters;
import io.orrery.core.trial.TrialStatus;
import io.orrery.tuner.dispatcher.Command;
import io.orrery.tuner.dispatcher.DispatcherConnection;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An algorithm that runs in NNI's dispatcher, spoken to as NNI's manager does. It answers when it
 * likes: a request for trials is followed by as many NewTrialJob, or by NoMoreTrialJobs, and a
 * tuner that withheld some may send them later, unasked.
 */
final class DispatchedAlgorithm implements NniAlgorithm {
  /**
   * How long a request waits that got neither, while other trials run: an advisor may keep silent
   * until one of them ends.
   */
  private static final Duration SILENCE = Duration.ofSeconds(10);

  private static final int LONGEST_ERROR = 500;

  private final DispatcherConnection line;
  private final Deque<Suggestion> ready = new ArrayDeque<>();

  /** The parameter ids of what it suggested and has not settled. */
  private final Set<String> pending = new HashSet<>();

  /** How many intermediate results of a trial it knows. */
  private final Map<String, Integer> told = new HashMap<>();

  private final Set<String> doomed = new HashSet<>();
  private JsonNode space;

  private DispatchedAlgorithm(DispatcherConnection line, JsonNode space) {
    this.line = line;
    this.space = space;
  }

  /**
   * Greets a dispatcher and waits until it is ready, however long that takes.
   *
   * @throws io.orrery.core.problem.ProblemException Broken when it ends instead
   */
  static DispatchedAlgorithm greet(DispatcherConnection line, SearchSpace space)
      throws InterruptedException {
    DispatchedAlgorithm algorithm = new DispatchedAlgorithm(line, space.toNniJson());
    try {
      line.send(Command.of(Command.INITIALIZE, algorithm.space));
      while (!algorithm.take(line.take()).equals(Command.INITIALIZED)) {
        // Whatever else it has to say belongs to the past.
      }
      return algorithm;
    } catch (RuntimeException | InterruptedException e) {
      line.close();
      throw e;
    }
  }

  /** The same one goes on with another space, if it is another one. */
  void changeSpace(SearchSpace next) {
    JsonNode json = next.toNniJson();
    if (!json.equals(space)) {
      space = json;
      line.send(Command.of(Command.UPDATE_SEARCH_SPACE, json));
    }
  }

  @Override
  public void importData(ArrayNode data) {
    line.send(Command.of(Command.IMPORT_DATA, data));
  }

  /** The record of the last number is among them in any case: the count goes on behind it. */
  @Override
  public void unfinished(Map<String, Parameters> records, long lastNumber) {
    ArrayNode list = Json.MAPPER.createArrayNode();
    records.forEach((id, parameters) -> list.add(record(id, ParameterSource.RESUMED, parameters)));
    String last = Long.toString(lastNumber);
    if (lastNumber >= 0 && !records.containsKey(last)) {
      list.add(record(last, ParameterSource.RESUMED, Parameters.EMPTY));
    }
    line.send(Command.of(Command.ADD_TRIALS, list));
  }

  @Override
  public List<Suggestion> suggest(int count) throws InterruptedException {
    catchUp();
    int missing = count - ready.size();
    if (missing > 0) {
      line.send(Command.of(Command.REQUEST_TRIALS, Json.MAPPER.valueToTree(missing)));
      boolean more = true;
      while (more && ready.size() < count) {
        Command next = pending.size() == ready.size() ? line.take() : line.take(SILENCE);
        more = next != null && !take(next).equals(Command.NO_MORE_TRIALS);
      }
    }
    return Stream.generate(ready::poll).limit(Math.min(count, ready.size())).toList();
  }

  @Override
  public void result(
      @Nullable String id, Parameters parameters, String trial, JsonNode value, TrialStatus event)
      throws InterruptedException {
    ObjectNode record =
        record(id, id == null ? ParameterSource.CUSTOMIZED : ParameterSource.ALGORITHM, parameters);
    if (!value.isNull()) {
      report(record.get("parameter_id"), trial, "FINAL", 0, value);
    }
    line.send(
        Command.of(
            Command.TRIAL_END,
            Json.MAPPER
                .createObjectNode()
                .put("trial_job_id", trial)
                .put("event", event.name())
                .put("hyper_params", Json.write(record))));
    catchUp();
    if (id != null) {
      pending.remove(id);
    }
    told.remove(trial);
    doomed.remove(trial);
  }

  /** Passes on what is new. A verdict that comes later counts when the trial reports next. */
  @Override
  public boolean isBad(@Nullable String id, String trial, ArrayNode history)
      throws InterruptedException {
    JsonNode number = record(id, ParameterSource.ALGORITHM, Parameters.EMPTY).get("parameter_id");
    for (int sequence = told.getOrDefault(trial, 0); sequence < history.size(); sequence++) {
      report(number, trial, "PERIODICAL", sequence, history.get(sequence));
    }
    told.put(trial, history.size());
    catchUp();
    return doomed.contains(trial);
  }

  @Override
  public void close() {
    line.close();
  }

  private void report(JsonNode id, String trial, String type, int sequence, JsonNode value) {
    ObjectNode metric = Json.MAPPER.createObjectNode();
    metric.set("parameter_id", id);
    metric.put("trial_job_id", trial).put("type", type).put("sequence", sequence);
    // JSON text within the message, as trials send it.
    metric.put("value", Json.write(value));
    line.send(Command.of(Command.REPORT_METRIC, metric));
  }

  /** Takes in what it has said unasked. */
  private void catchUp() throws InterruptedException {
    for (Command next = line.take(Duration.ZERO); next != null; next = line.take(Duration.ZERO)) {
      take(next);
    }
  }

  /** The type of what was taken in. */
  private String take(Command command) {
    switch (command.type()) {
      case Command.NEW_TRIAL -> {
        JsonNode record = command.json();
        String id = record.path("parameter_id").asText();
        pending.add(id);
        ready.add(PythonTuner.suggestion(id, record.path("parameters")));
      }
      case Command.KILL_TRIAL -> doomed.add(command.json().asText());
      case Command.ERROR ->
          throw new Problem.Broken("it reported an error: " + shortened(command.content()))
              .toException();
      default -> {
        // The rest is said to trials of several phases, or needs no answer.
      }
    }
    return command.type();
  }

  private static String shortened(String text) {
    return text.length() <= LONGEST_ERROR ? text : text.substring(0, LONGEST_ERROR) + "…";
  }

  private static ObjectNode record(
      @Nullable String id, ParameterSource source, Parameters parameters) {
    return ParameterRecord.of(new ParameterSet(0, id, source, parameters));
  }
}
