package io.orrery.core.space;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;

/** A search space in NNI's JSON form, so that reading what was written gives an equal space. */
final class SpaceWriter {
  private SpaceWriter() {}

  static ObjectNode write(SearchSpace space) {
    ObjectNode json = Json.MAPPER.createObjectNode();
    space.dimensions().forEach((name, dimension) -> json.set(name, write(dimension)));
    return json;
  }

  private static ObjectNode write(Dimension dimension) {
    ObjectNode json = Json.MAPPER.createObjectNode().put("_type", dimension.type());
    ArrayNode value = json.putArray("_value");
    switch (dimension) {
      case Dimension.Choice(var options) -> options.forEach(o -> value.add(write(o)));
      case Dimension.RandInt(long lower, long upper) -> value.add(lower).add(upper);
      case Dimension.Uniform(double low, double high) -> value.add(low).add(high);
      case Dimension.QUniform(double low, double high, double q) -> value.add(low).add(high).add(q);
      case Dimension.LogUniform(double low, double high) -> value.add(low).add(high);
      case Dimension.QLogUniform(double low, double high, double q) ->
          value.add(low).add(high).add(q);
      case Dimension.Normal(double mu, double sigma) -> value.add(mu).add(sigma);
      case Dimension.QNormal(double mu, double sigma, double q) -> value.add(mu).add(sigma).add(q);
      case Dimension.LogNormal(double mu, double sigma) -> value.add(mu).add(sigma);
      case Dimension.QLogNormal(double mu, double sigma, double q) ->
          value.add(mu).add(sigma).add(q);
    }
    return json;
  }

  private static JsonNode write(Dimension.Option option) {
    return switch (option) {
      case Dimension.Literal(var value) -> Json.MAPPER.valueToTree(value);
      case Dimension.Branch(var name, var space) -> {
        ObjectNode branch = Json.MAPPER.createObjectNode().put("_name", name);
        branch.setAll(write(space));
        yield branch;
      }
    };
  }
}
