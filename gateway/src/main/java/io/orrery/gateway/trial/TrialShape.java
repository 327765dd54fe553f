package io.orrery.gateway.trial;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.JsonSerializable;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.jsontype.TypeSerializer;
import io.orrery.core.json.Json;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.trial.ParameterSet;
import io.orrery.core.trial.Trial;
import io.orrery.gateway.http.Wire;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A trial as JSON; its parameters are those that its metric belongs to. It is written straight into
 * the answer, as the client that asks for a page of trials would wait for a tree of each one.
 */
public final class TrialShape implements JsonSerializable {
  private final Trial trial;
  private final @Nullable List<String> tags;

  private TrialShape(Trial trial, @Nullable List<String> tags) {
    this.trial = trial;
    this.tags = tags;
  }

  /** A part of an answer; it can be written, and not be looked into. Says nothing of tags. */
  public static JsonNode of(Trial trial) {
    return Json.MAPPER.getNodeFactory().pojoNode(new TrialShape(trial, null));
  }

  /** The same with the tags that users gave it. */
  static JsonNode of(Trial trial, List<String> tags) {
    return Json.MAPPER.getNodeFactory().pojoNode(new TrialShape(trial, tags));
  }

  @Override
  public void serialize(JsonGenerator json, SerializerProvider kinds) throws IOException {
    json.writeStartObject();
    json.writeStringField("id", trial.ref().trial().value());
    json.writeStringField("experiment", trial.ref().experiment().value());
    json.writeNumberField("sequenceId", trial.sequenceId());
    json.writeStringField("status", trial.status().name());
    json.writeStringField("reason", trial.reason());
    json.writeNumberField("attempt", trial.attempt());
    ParameterSet counted = trial.counted();
    json.writeStringField("parameterId", counted.parameterId());
    json.writeStringField("parameterSource", counted.source().text());
    kinds.defaultSerializeField("parameters", counted.values(), json);
    metric(json, trial.metric());
    if (trial.parameters().size() > 1) {
      json.writeArrayFieldStart("parameterSets");
      for (ParameterSet set : trial.parameters()) {
        set(json, kinds, set);
      }
      json.writeEndArray();
    }
    kinds.defaultSerializeField("exitCode", trial.exitCode(), json);
    json.writeStringField("directory", trial.directory());
    json.writeStringField("createdAt", Wire.time(trial.createdAt()));
    json.writeStringField("startedAt", Wire.time(trial.startedAt()));
    json.writeStringField("endedAt", Wire.time(trial.endedAt()));
    if (tags != null) {
      kinds.defaultSerializeField("tags", tags, json);
    }
    json.writeEndObject();
  }

  @Override
  public void serializeWithType(JsonGenerator json, SerializerProvider kinds, TypeSerializer types)
      throws IOException {
    serialize(json, kinds);
  }

  private static void set(JsonGenerator json, SerializerProvider kinds, ParameterSet set)
      throws IOException {
    json.writeStartObject();
    json.writeNumberField("index", set.index());
    json.writeStringField("parameterId", set.parameterId());
    kinds.defaultSerializeField("parameters", set.values(), json);
    metric(json, set.result());
    json.writeEndObject();
  }

  private static void metric(JsonGenerator json, @Nullable MetricValue metric) throws IOException {
    if (metric == null) {
      json.writeNullField("metric");
      return;
    }
    json.writeNumberField("metric", metric.number());
    if (metric.document() != null) {
      json.writeFieldName("metricDocument");
      json.writeTree(Json.parse(metric.document()));
    }
  }
}
