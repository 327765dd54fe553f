package io.orrery.cli;

import io.orrery.core.text.Nearest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Says what was not understood on the command line, and what may have been meant. */
final class BadUsage {
  /** A slip of a shorter option is as near to any other. */
  private static final int LEAST_MISSPELT = 4;

  private BadUsage() {}

  static String sentence(ParameterException e) {
    CommandSpec command = e.getCommandLine().getCommandSpec();
    return switch (e) {
      case UnmatchedArgumentException unmatched ->
          unknown(unmatched.getUnmatched().getFirst(), command);
      case MissingParameterException missing -> missing(missing.getMissing());
      default ->
          e.getArgSpec() == null && !command.subcommands().isEmpty()
              ? "which verb? There is " + String.join(", ", verbs(command))
              : value(String.valueOf(e.getMessage()));
    };
  }

  private static String missing(List<ArgSpec> arguments) {
    return arguments.stream()
        .map(argument ->
            argument instanceof OptionSpec option
                ? option.longestName() + " needs a value: " + option.paramLabel()
                : argument.paramLabel() + " is missing")
        .collect(Collectors.joining(", "));
  }

  private static String value(String message) {
    return message
        .replaceFirst("^Invalid value for option '([^']+)'(?: \\([^)]*\\))?: ", "$1: ")
        .replaceFirst("' is not an? (?:int|long)$", "' is not a whole number");
  }

  private static String unknown(String word, CommandSpec command) {
    if (word.startsWith("-")) {
      return "there is no option '"
          + word
          + "'"
          + (word.length() < LEAST_MISSPELT
              ? ""
              : Nearest.hint(word, command.optionsMap().keySet()));
    }
    if (command.subcommands().isEmpty()) {
      return "'" + word + "' is one word too many";
    }
    return "there is no verb '" + word + "'" + meant(word, command);
  }

  /** A verb of another place, a slip, or the beginning of a verb. */
  private static String meant(String word, CommandSpec command) {
    List<String> elsewhere = elsewhere(word, command);
    if (!elsewhere.isEmpty()) {
      return "; there is " + String.join(", ", elsewhere);
    }
    Collection<String> verbs = verbs(command);
    Optional<String> longer = verbs.stream().filter(verb -> verb.startsWith(word)).findFirst();
    return longer
        .map(verb -> " (did you mean '" + verb + "'?)")
        .orElseGet(() -> Nearest.hint(word, verbs));
  }

  /** {@code `orrery trial list`} for a verb that was said without what it works on. */
  private static List<String> elsewhere(String word, CommandSpec command) {
    CommandSpec root = command.root();
    List<String> found = new ArrayList<>();
    if (root.subcommands().containsKey(word)) {
      found.add("`" + root.qualifiedName() + " " + word + "`");
    }
    for (CommandLine group : verbs(root).stream().map(root.subcommands()::get).toList()) {
      if (group.getSubcommands().containsKey(word)) {
        found.add("`" + group.getCommandSpec().qualifiedName() + " " + word + "`");
      }
    }
    return found;
  }

  /** In the order of the help. */
  private static List<String> verbs(CommandSpec command) {
    return List.copyOf(command.subcommands().keySet());
  }
}
