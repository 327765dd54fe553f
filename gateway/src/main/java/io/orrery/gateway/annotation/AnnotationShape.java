package io.orrery.gateway.annotation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.bus.contract.Annotations.Annotation;
import io.orrery.core.json.Json;
import io.orrery.gateway.http.Wire;

/** The note and the tags of an experiment or trial as JSON: {@code {note, tags, changedAt}}. */
public final class AnnotationShape {
  private AnnotationShape() {}

  public static ObjectNode of(Annotation annotation) {
    ObjectNode json = Json.MAPPER.createObjectNode().put("note", annotation.note());
    json.set("tags", Json.MAPPER.valueToTree(annotation.tags()));
    return json.put("changedAt", Wire.time(annotation.changedAt()));
  }
}
