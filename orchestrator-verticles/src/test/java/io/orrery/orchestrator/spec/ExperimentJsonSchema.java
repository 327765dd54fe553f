package io.orrery.orchestrator.spec;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.schema.Field;
import io.orrery.core.schema.Schema;
import io.orrery.core.schema.ValueType;
import java.util.List;

/** The JSON Schema (2020-12) of the experiment file, made from the schemas that read it. */
final class ExperimentJsonSchema {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final String SPAN = "^[0-9]+(\\.[0-9]+)?\\s*(s|m|h|d)$";

  private ExperimentJsonSchema() {}

  static String text() {
    ObjectNode root = JSON.objectNode();
    root.put("$schema", "https://json-schema.org/draft/2020-12/schema");
    root.put("title", "An experiment of Orrery");
    root.put(
        "description",
        "Keys are written here as the program spells them; it also reads them with other case and"
            + " with underscores.");
    root.setAll(object(ExperimentSchema.ROOT));
    ObjectNode properties = (ObjectNode) root.get("properties");
    ObjectNode service = (ObjectNode) properties.get("trainingService");
    service.setAll(trainingService());
    return root.toPrettyString() + "\n";
  }

  private static ObjectNode object(Schema schema) {
    ObjectNode object = JSON.objectNode().put("type", "object");
    ObjectNode properties = object.putObject("properties");
    ArrayNode required = JSON.arrayNode();
    for (Field field : schema.fields()) {
      ObjectNode property = type(field.type());
      property.put("description", field.meaning());
      if (field.standard() != null) {
        property.set("default", field.standard());
      }
      properties.set(field.name(), property);
      if (field.required()) {
        required.add(field.name());
      }
    }
    if (!required.isEmpty()) {
      object.set("required", required);
    }
    return object.put("additionalProperties", false);
  }

  /** An object of a platform, or a list of them; a platform of a jar has keys of its own. */
  private static ObjectNode trainingService() {
    ObjectNode platform = JSON.objectNode();
    platform.put("type", "object");
    platform.putArray("required").add("platform");
    ObjectNode name = platform.putObject("properties").putObject("platform");
    name.put("type", "string").set("examples", words(PlatformSchemas.NAMES));
    ArrayNode cases = platform.putArray("allOf");
    for (String each : PlatformSchemas.NAMES) {
      Schema schema = PlatformSchemas.of(each);
      if (schema != null) {
        ObjectNode one = cases.addObject();
        one.putObject("if").putObject("properties").putObject("platform").put("const", each);
        one.set("then", object(schema));
      }
    }
    ObjectNode either = JSON.objectNode();
    either.putArray("anyOf").add(platform).addObject().put("type", "array");
    return either;
  }

  private static ObjectNode type(ValueType type) {
    ObjectNode json = JSON.objectNode();
    return switch (type) {
      case ValueType.Text _, ValueType.Secret _, ValueType.Directory _, ValueType.File _ ->
          json.put("type", "string");
      case ValueType.Word word -> json.set("enum", words(word.words()));
      case ValueType.Whole whole -> whole(whole, json);
      case ValueType.Above above ->
          json.put("type", "number").put("exclusiveMinimum", above.bound());
      case ValueType.Between between -> between(between, json);
      case ValueType.Flag _ -> json.put("type", "boolean");
      case ValueType.Span _ -> {
        ArrayNode ways = json.putArray("anyOf");
        ways.addObject().put("type", "number").put("exclusiveMinimum", 0);
        ways.addObject().put("type", "string").put("pattern", SPAN);
        yield json;
      }
      case ValueType.Size _ -> json.set("type", words(List.of("integer", "string")));
      case ValueType.GpuIndices _ -> json.set("type", words(List.of("integer", "string", "array")));
      case ValueType.Transfer _ -> {
        ArrayNode ways = json.putArray("anyOf");
        ways.addObject().set("enum", words(List.of("auto", "off")));
        ObjectNode ids = ways.addObject().put("type", "array");
        ArrayNode sources = ids.putObject("items").putArray("anyOf");
        sources.addObject().put("type", "string");
        ObjectNode renaming = sources.addObject().put("type", "object");
        ObjectNode keys = renaming.putObject("properties");
        keys.putObject("id").put("type", "string");
        keys.putObject("rename")
            .put("type", "object")
            .putObject("additionalProperties")
            .put("type", "string");
        renaming.set("required", words(List.of("id")));
        renaming.put("additionalProperties", false);
        yield json;
      }
      case ValueType.AnyObject _ -> json.put("type", "object");
      case ValueType.Anything _ -> json;
      case ValueType.Section section -> object(section.schema());
      case ValueType.ListOf list -> {
        json.put("type", "array");
        yield json.set("items", type(list.element()));
      }
    };
  }

  private static ObjectNode whole(ValueType.Whole whole, ObjectNode json) {
    json.put("type", "integer");
    if (whole.least() > Long.MIN_VALUE) {
      json.put("minimum", whole.least());
    }
    if (whole.most() < Integer.MAX_VALUE) {
      json.put("maximum", whole.most());
    }
    return json;
  }

  private static ObjectNode between(ValueType.Between between, ObjectNode json) {
    json.put("type", "number").put("minimum", between.least());
    if (between.most() < Double.MAX_VALUE) {
      json.put("maximum", between.most());
    }
    return json;
  }

  private static JsonNode words(List<String> words) {
    ArrayNode array = JSON.arrayNode();
    words.forEach(array::add);
    return array;
  }
}
