package io.orrery.cli.print;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintStream;
import java.util.Map;

/** Writes objects as YAML: objects as blocks; what stands on one line is JSON, which is YAML. */
public final class YamlText {
  private static final String INDENT = "  ";

  private YamlText() {}

  /** Prints an object. */
  public static void print(PrintStream out, JsonNode object) {
    block(out, object, "");
  }

  private static void block(PrintStream out, JsonNode object, String indent) {
    for (Map.Entry<String, JsonNode> member : object.properties()) {
      JsonNode value = member.getValue();
      String key = key(member.getKey());
      if (value.isObject() && !value.isEmpty()) {
        out.println(indent + key + ":");
        block(out, value, indent + INDENT);
      } else {
        out.println(indent + key + ": " + value);
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
