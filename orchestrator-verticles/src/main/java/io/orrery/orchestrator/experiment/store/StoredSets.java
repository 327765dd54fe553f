package io.orrery.orchestrator.experiment.store;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.ObjectReader;
import io.orrery.core.json.Json;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.trial.ParameterSet;
import io.orrery.core.trial.ParameterSource;
import io.orrery.core.trial.Parameters;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A parser of parameter sets from the JSON text that {@link Json#write} made of them. A chart reads
 * those of two thousand trials, and a tuner that is rebuilt those of all: so token by token, as
 * what the library does to make a record costs more than its text.
 */
final class StoredSets {
  private static final ObjectReader VALUES = Json.MAPPER.readerFor(Parameters.class);

  private StoredSets() {}

  /**
   * The one that the trial's metric belongs to last.
   *
   * @return to be changed at will
   */
  static List<ParameterSet> read(String text) {
    try (JsonParser json = Json.MAPPER.createParser(text)) {
      if (json.nextToken() != JsonToken.START_ARRAY) {
        throw new IllegalStateException("no stored parameter sets: " + text);
      }
      List<ParameterSet> sets = new ArrayList<>(1);
      while (json.nextToken() != JsonToken.END_ARRAY) {
        sets.add(set(json));
      }
      return sets;
    } catch (IOException e) {
      throw new UncheckedIOException("not stored parameter sets", e);
    }
  }

  private static ParameterSet set(JsonParser json) throws IOException {
    int index = 0;
    String id = null;
    ParameterSource source = null;
    Parameters values = null;
    MetricValue result = null;
    for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
      json.nextToken();
      switch (name) {
        case "index" -> index = json.getIntValue();
        case "parameterId" -> id = json.getValueAsString();
        case "source" -> source = ParameterSource.of(json.getText());
        case "values" -> values = VALUES.readValue(json);
        case "result" -> result = json.readValueAs(MetricValue.class);
        default -> json.skipChildren();
      }
    }
    if (source == null || values == null) {
      throw new IllegalStateException("a stored parameter set without source or values");
    }
    return new ParameterSet(index, id, source, values, result);
  }
}
