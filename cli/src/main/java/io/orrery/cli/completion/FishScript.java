package io.orrery.cli.completion;

import java.util.Map;
import java.util.StringJoiner;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The completions of a program for fish, one {@code complete} line for each verb and option. */
final class FishScript {
  private FishScript() {}

  static String of(CommandLine program) {
    String name = program.getCommandName();
    StringBuilder script = new StringBuilder("complete -c " + name + " -f\n");
    for (Map.Entry<String, CommandLine> verb : program.getSubcommands().entrySet()) {
      CommandLine command = verb.getValue();
      verb(script, name, "__fish_use_subcommand", verb.getKey(), command);
      StringJoiner below = new StringJoiner(" ");
      command.getSubcommands().keySet().forEach(below::add);
      String here = "__fish_seen_subcommand_from " + verb.getKey();
      for (Map.Entry<String, CommandLine> inner : command.getSubcommands().entrySet()) {
        String first = here + "; and not __fish_seen_subcommand_from " + below;
        verb(script, name, first, inner.getKey(), inner.getValue());
        options(
            script,
            name,
            here + "; and __fish_seen_subcommand_from " + inner.getKey(),
            inner.getValue().getCommandSpec());
      }
      if (command.getSubcommands().isEmpty()) {
        options(script, name, here, command.getCommandSpec());
      }
    }
    return script.toString();
  }

  private static void verb(
      StringBuilder script, String name, String when, String verb, CommandLine command) {
    script.append(
        "complete -c %s -n %s -a %s -d %s%n"
            .formatted(name, quoted(when), verb, quoted(summary(command.getCommandSpec()))));
  }

  private static void options(StringBuilder script, String name, String when, CommandSpec command) {
    for (OptionSpec option : command.options()) {
      if (option.hidden()) {
        continue;
      }
      script.append("complete -c ").append(name).append(" -n ").append(quoted(when));
      for (String spelling : option.names()) {
        script.append(spelling.startsWith("--") ? " -l " : " -s ");
        script.append(spelling.replaceFirst("^-+", ""));
      }
      // The value of an option may be a file.
      script.append(option.arity().max() > 0 ? " -r -F" : "");
      String[] description = option.description();
      script
          .append(" -d ")
          .append(quoted(description.length == 0 ? "" : description[0]))
          .append('\n');
    }
  }

  private static String summary(CommandSpec command) {
    String[] description = command.usageMessage().description();
    return description.length == 0 ? "" : description[0];
  }

  private static String quoted(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }
}
