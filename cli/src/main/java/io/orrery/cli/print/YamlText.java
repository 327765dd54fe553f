package io.orrery.cli.print;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintStream;
import java.util.Map;

/**
 * Writes objects as YAML: objects and lists of objects as blocks; what stands on one line is JSON,
 * which is YAML.
 */
public final class YamlText {
  private static final String INDENT = "  ";
  private static final String ITEM = "- ";

  private YamlText() {}

  /** Prints an object. */
  public static void print(PrintStream out, JsonNode object) {
    block(out, object, "", "");
  }

  /**
   * @param first what stands before the first line instead of {@code indent}
   */
  private static void block(PrintStream out, JsonNode object, String first, String indent) {
    String before = first;
    for (Map.Entry<String, JsonNode> member : object.properties()) {
      JsonNode value = member.getValue();
      String key = before + key(member.getKey()) + ":";
      before = indent;
      if (value.isObject() && !value.isEmpty()) {
        out.println(key);
        block(out, value, indent + INDENT, indent + INDENT);
      } else if (value.isArray() && value.valueStream().anyMatch(JsonNode::isContainerNode)) {
        out.println(key);
        list(out, value, indent + INDENT);
      } else {
        out.println(key + " " + value);
      }
    }
  }

  private static void list(PrintStream out, JsonNode list, String indent) {
    for (JsonNode item : list) {
      if (item.isObject() && !item.isEmpty()) {
        block(out, item, indent + ITEM, indent + INDENT);
      } else {
        out.println(indent + ITEM + item);
      }
    }
  }

  private static String key(String name) {
    return name.matches("[A-Za-z_][A-Za-z0-9_]*")
            && !name.matches("(?i)y|n|yes|no|on|off|true|false|null")
        ? name
        : '"' + name.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
