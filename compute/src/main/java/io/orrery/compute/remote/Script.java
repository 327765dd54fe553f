package io.orrery.compute.remote;

import io.orrery.compute.command.TrialCommand;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * A text for {@code sh} on a machine: one of the files beside this package, with variables set
 * before it.
 */
final class Script {
  static final Script ARRIVE = new Script("arrive.sh");
  static final Script ANNOUNCE = new Script("announce.sh");
  static final Script LOOK = new Script("look.sh");
  static final Script KEEPER = new Script("keeper.sh");
  static final Script CODE = new Script("code.sh");
  static final Script LAUNCH = new Script("launch.sh");
  static final Script WRAPPER = new Script("wrapper.sh");
  static final Script CENSUS = new Script("census.sh");
  static final Script END = new Script("end.sh");
  static final Script CLEAN = new Script("clean.sh");
  static final Script GPUS = new Script("gpus.sh");

  private final String text;

  private Script(String name) {
    try (InputStream resource =
        Objects.requireNonNull(Script.class.getResourceAsStream(name), name)) {
      this.text = new String(resource.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The text with these variables. */
  String with(Map<String, String> variables) {
    return assignments("", variables) + text;
  }

  /** The text with these variables, and a text of ours in the place of a mark in it. */
  String with(Map<String, String> variables, Map<String, String> marks) {
    String filled = text;
    for (Map.Entry<String, String> mark : new TreeMap<>(marks).entrySet()) {
      filled = filled.replace(mark.getKey(), mark.getValue());
    }
    return assignments("", variables) + filled;
  }

  /**
   * One line for each variable.
   *
   * @param prefix such as {@code export}, with a space behind it; empty for none
   */
  static String assignments(String prefix, Map<String, String> variables) {
    StringBuilder lines = new StringBuilder();
    new TreeMap<>(variables)
        .forEach((name, value) ->
            lines
                .append(prefix)
                .append(name)
                .append('=')
                .append(TrialCommand.quoted(value))
                .append('\n'));
    return lines.toString();
  }
}
