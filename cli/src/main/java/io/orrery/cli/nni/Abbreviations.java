package io.orrery.cli.nni;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Unambiguous beginnings of long options, which Python's argparse takes in NNI's own {@code
 * nnictl}: {@code --conf FILE} and {@code --conf=FILE} for {@code --config}. Options of the verb
 * itself come before those that every verb has, which NNI does not know.
 */
public final class Abbreviations {
  private static final String LONG = "--";

  private Abbreviations() {}

  /** The same words with every beginning of an option made whole; anything else as it was. */
  public static String[] expanded(CommandLine line, String[] arguments) {
    String[] whole = arguments.clone();
    CommandLine command = line;
    for (int i = 0; i < whole.length && !whole[i].equals(LONG); i++) {
      String word = whole[i];
      if (word.startsWith(LONG)) {
        int equals = word.indexOf('=');
        String name = equals < 0 ? word : word.substring(0, equals);
        whole[i] = option(command, name) + word.substring(name.length());
      } else if (!word.startsWith("-")) {
        command = command.getSubcommands().getOrDefault(word, command);
      }
    }
    return whole;
  }

  private static String option(CommandLine command, String beginning) {
    Map<String, OptionSpec> known = command.getCommandSpec().optionsMap();
    if (known.containsKey(beginning)) {
      return beginning;
    }
    Map<Boolean, List<Map.Entry<String, OptionSpec>>> fitting =
        known.entrySet().stream()
            .filter(option -> option.getKey().startsWith(beginning))
            .collect(Collectors.partitioningBy(option -> option.getValue().inherited()));
    List<Map.Entry<String, OptionSpec>> candidates = new ArrayList<>(fitting.get(false));
    if (candidates.isEmpty()) {
      candidates.addAll(fitting.get(true));
    }
    boolean clear = candidates.stream().map(Map.Entry::getValue).distinct().count() == 1;
    return clear ? candidates.getFirst().getKey() : beginning;
  }
}
