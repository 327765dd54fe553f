package io.orrery.studio.service;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.number.Numbers;
import io.orrery.core.workload.WorkloadPort;
import io.orrery.studio.document.DocumentKeys;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the key {@code expose} of a service's document. */
final class ExposeReader {
  private static final String KEY = "expose";
  private static final int LEAST = 1_024;

  private ExposeReader() {}

  /**
   * A port that is to be reached by an address and a number.
   *
   * @param target the port of the document
   * @param number null for one that is given
   */
  record Wish(int target, @Nullable Integer number) {}

  /** The ports, in the order of the document; empty when there are none. */
  static List<Wish> read(DocumentKeys keys, List<Integer> ports) {
    JsonNode value = keys.value(KEY);
    if (value == null || (value.isBoolean() && !value.booleanValue())) {
      return List.of();
    }
    List<Wish> wishes = new ArrayList<>();
    if (value.isBoolean()) {
      ports.forEach(port -> wishes.add(new Wish(port, null)));
    } else if (value.isArray()) {
      value.forEach(port -> add(keys, wishes, port.asText(), null, ports));
    } else if (value instanceof ObjectNode object) {
      for (Map.Entry<String, JsonNode> entry : object.properties()) {
        add(keys, wishes, entry.getKey(), number(keys, entry), ports);
      }
      Set<Integer> numbers = new HashSet<>();
      wishes.stream()
          .map(Wish::number)
          .filter(number -> number != null && !numbers.add(number))
          .forEach(number -> keys.wrong(KEY, "the number " + number + " is there twice"));
    } else {
      keys.wrong(
          KEY, "expose is true, a list of ports such as [7687], or numbers such as {7687: 31000}");
    }
    if (ports.isEmpty() && wishes.isEmpty()) {
      keys.wrong(KEY, "there are no ports to expose: a service needs ports");
    }
    return List.copyOf(wishes);
  }

  private static void add(
      DocumentKeys keys,
      List<Wish> wishes,
      String text,
      @Nullable Integer number,
      List<Integer> ports) {
    Integer port =
        ports.stream().filter(each -> text.equals(each.toString())).findFirst().orElse(null);
    if (port == null) {
      keys.wrong(
          KEY, "port %s of expose is not among the ports, which are %s".formatted(text, ports));
    } else if (wishes.stream().anyMatch(wish -> wish.target() == port)) {
      keys.wrong(KEY, "port " + port + " is there twice");
    } else {
      wishes.add(new Wish(port, number));
    }
  }

  private static @Nullable Integer number(DocumentKeys keys, Map.Entry<String, JsonNode> entry) {
    if (entry.getValue().isNull()) {
      return null;
    }
    Long number = Numbers.whole(entry.getValue());
    if (number == null || number < LEAST || number > WorkloadPort.MOST) {
      keys.wrong(
          KEY,
          "port %s is exposed under a number from %d to %d, or null for one that is given, not %s"
              .formatted(entry.getKey(), LEAST, WorkloadPort.MOST, entry.getValue()));
      return null;
    }
    return number.intValue();
  }
}
