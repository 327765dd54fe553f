package io.orrery.compute.command;

import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The places of a trial's command that its parameters fill: <code>{{params.NAME}}</code>. */
public final class Placeholders {
  private static final Pattern PLACE = Pattern.compile("\\{\\{\\s*params\\.([^{}]*?)\\s*}}");

  private Placeholders() {}

  /** The names in a command, each once, in their order. */
  public static List<String> in(String command) {
    return PLACE.matcher(command).results().map(place -> place.group(1)).distinct().toList();
  }

  /** False when a command has none for sure; costs next to nothing. */
  static boolean mayBeIn(String command) {
    return command.contains("{{");
  }

  /**
   * The command with every place filled.
   *
   * @param value the text for a name
   */
  public static String fill(String command, UnaryOperator<String> value) {
    return PLACE
        .matcher(command)
        .replaceAll(place -> Matcher.quoteReplacement(value.apply(place.group(1))));
  }
}
