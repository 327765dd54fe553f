package io.orrery.compute.command;

import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.text.Nearest;
import io.orrery.core.trial.Parameters;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The shell command of a trial with its parameters in it.
 *
 * <p>Parameters have flat names here: {@code lr}; and for a chosen branch {@code {"opt": {"_name":
 * "sgd", "lr": 0.1}}} the name {@code opt} for the branch, {@code opt.lr} for a parameter within
 * it. Text stands as it is, everything else as JSON.
 */
public final class TrialCommand {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./:=@%+,-]+");

  private TrialCommand() {}

  /**
   * Replaces each <code>{{params.NAME}}</code> by the value, quoted for the shell.
   *
   * @param template the user's trialCommand
   * @param asArguments whether every parameter is appended as {@code --name=value} too; a branch
   *     gives {@code --opt=sgd --opt.lr=0.1}, a value without a name stands alone
   * @throws io.orrery.core.problem.ProblemException Refused when a name is not among the parameters
   */
  public static String of(String template, Parameters parameters, boolean asArguments) {
    Map<String, String> values =
        asArguments || Placeholders.mayBeIn(template) ? flat(parameters) : Map.of();
    String filled = Placeholders.fill(template, name -> quoted(value(name, values)));
    if (!asArguments) {
      return filled;
    }
    StringBuilder command = new StringBuilder(filled.stripTrailing());
    values.forEach((name, value) -> command.append(' ').append(quoted(argument(name, value))));
    return command.toString();
  }

  private static String argument(String name, String value) {
    return name.equals(Parameters.BARE) ? value : "--" + name + "=" + value;
  }

  private static String value(String name, Map<String, String> values) {
    String value = values.get(name);
    if (value == null) {
      throw new Problem.Refused(
              new Finding(
                  "/trialCommand",
                  "{{params.%s}} names no parameter of this trial%s; it has %s"
                      .formatted(
                          name,
                          Nearest.hint(name, values.keySet()),
                          values.isEmpty() ? "none" : String.join(", ", values.keySet()))))
          .toException();
    }
    return value;
  }

  /** One word of a shell command. What needs no quotes gets none, so it may stand within some. */
  public static String quoted(String text) {
    return PLAIN.matcher(text).matches() ? text : "'" + text.replace("'", "'\\''") + "'";
  }

  /** A value as text: strings as they are, everything else as JSON. */
  public static String text(@Nullable Object value) {
    return switch (value) {
      case null -> "null";
      case String text -> text;
      // Each trial has some of these, and their JSON is known without a writer of JSON.
      case Integer number -> number.toString();
      case Long number -> number.toString();
      case Double number when Double.isFinite(number) -> number.toString();
      default -> Json.write(value);
    };
  }

  private static Map<String, String> flat(Parameters parameters) {
    Map<String, String> flat = new LinkedHashMap<>();
    flatten("", parameters.values(), flat);
    return flat;
  }

  private static void flatten(String prefix, Map<?, ?> values, Map<String, String> flat) {
    values.forEach((key, value) -> {
      String name = prefix + key;
      if (value instanceof Map<?, ?> branch && branch.containsKey("_name")) {
        flat.put(name, text(branch.get("_name")));
        flatten(name + ".", branch, flat);
      } else if (!key.equals("_name")) {
        flat.put(name, text(value));
      }
    });
  }
}
