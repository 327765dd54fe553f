package io.orrery.cli.completion;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * The manual pages of a program in troff, one for each command, made from what {@code --help} says.
 * The same program gives the same bytes.
 */
final class ManPages {
  private final String version;
  private final Map<String, String> pages = new LinkedHashMap<>();

  private ManPages(String version) {
    this.version = version;
  }

  /** The pages by their file names, such as {@code orrery-experiment-run.1}. */
  static Map<String, String> of(CommandLine program, String version) {
    ManPages made = new ManPages(version);
    made.add(program);
    return made.pages;
  }

  private void add(CommandLine command) {
    CommandSpec spec = command.getCommandSpec();
    if (spec.usageMessage().hidden()) {
      return;
    }
    pages.put(name(spec) + ".1", page(command));
    command.getSubcommands().values().stream().distinct().forEach(this::add);
  }

  private String page(CommandLine command) {
    CommandSpec spec = command.getCommandSpec();
    Troff page = new Troff();
    page.macro("TH", name(spec).toUpperCase(Locale.ROOT), "1", "", version);
    page.macro("SH", "NAME");
    page.line(name(spec) + " - " + first(spec));
    page.macro("SH", "SYNOPSIS");
    page.line(synopsis(command));
    page.macro("SH", "DESCRIPTION");
    for (String paragraph : spec.usageMessage().description()) {
      page.macro("PP");
      page.line(formatted(paragraph));
    }
    arguments(page, spec);
    List<CommandLine> verbs = command.getSubcommands().values().stream().distinct().toList();
    if (!verbs.isEmpty()) {
      page.macro("SH", "VERBS");
      for (CommandLine verb : verbs) {
        page.item(name(verb.getCommandSpec()) + "(1)");
        page.line(first(verb.getCommandSpec()));
      }
    }
    examples(page, spec);
    page.macro("SH", "EXIT STATUS");
    page.line("0 success; 1 failure; 2 bad usage or refused input; 130 Ctrl-C.");
    CommandSpec parent = spec.parent();
    if (parent != null) {
      page.macro("SH", "SEE ALSO");
      page.line(name(parent) + "(1)");
    }
    return page.text();
  }

  private static void arguments(Troff page, CommandSpec spec) {
    List<PositionalParamSpec> positional =
        spec.positionalParameters().stream().filter(argument -> !argument.hidden()).toList();
    if (!positional.isEmpty()) {
      page.macro("SH", "ARGUMENTS");
      positional.forEach(argument -> described(page, argument.paramLabel(), argument));
    }
    List<OptionSpec> options = spec.options().stream().filter(option -> !option.hidden()).toList();
    if (!options.isEmpty()) {
      page.macro("SH", "OPTIONS");
      for (OptionSpec option : options) {
        String value = option.arity().max() > 0 ? " " + option.paramLabel() : "";
        described(page, String.join(", ", option.names()) + value, option);
      }
    }
  }

  private static void described(Troff page, String term, ArgSpec argument) {
    page.item(term);
    for (String line : argument.description()) {
      page.line(formatted(line));
    }
  }

  /** The end of the help: lines that begin with two spaces are typed as they are. */
  private static void examples(Troff page, CommandSpec spec) {
    List<String> typed =
        Stream.of(spec.usageMessage().footer()).filter(line -> line.startsWith("  ")).toList();
    if (typed.isEmpty()) {
      return;
    }
    page.macro("SH", "EXAMPLES");
    page.macro("nf");
    typed.forEach(line -> page.line(formatted(line)));
    page.macro("fi");
  }

  private static String synopsis(CommandLine command) {
    CommandSpec spec = command.getCommandSpec();
    List<String> words = new ArrayList<>(List.of(spec.qualifiedName()));
    if (spec.options().stream().anyMatch(option -> !option.hidden())) {
      words.add("[OPTIONS]");
    }
    for (PositionalParamSpec argument : spec.positionalParameters()) {
      if (!argument.hidden()) {
        String label = argument.paramLabel() + (argument.arity().max() > 1 ? "..." : "");
        words.add(argument.required() ? label : "[" + label + "]");
      }
    }
    if (!command.getSubcommands().isEmpty()) {
      words.add(spec.usageMessage().synopsisSubcommandLabel());
    }
    return String.join(" ", words);
  }

  private static String name(CommandSpec spec) {
    return spec.qualifiedName("-");
  }

  private static String first(CommandSpec spec) {
    String[] description = spec.usageMessage().description();
    return description.length == 0 ? spec.name() : formatted(description[0]);
  }

  /** The line as the help's formatter writes it. */
  private static String formatted(String line) {
    return line.replace("%n", "\n").replace("%%", "%");
  }

  /** A text in troff, whose input is escaped. */
  private static final class Troff {
    private final StringBuilder text = new StringBuilder();

    void macro(String name, String... arguments) {
      text.append('.').append(name);
      for (String argument : arguments) {
        text.append(" \"").append(escaped(argument).replace("\"", "\"\"")).append('"');
      }
      text.append('\n');
    }

    void item(String term) {
      macro("TP");
      text.append("\\fB").append(escaped(term)).append("\\fR\n");
    }

    void line(String words) {
      words.lines().forEach(line -> text.append(guarded(line)).append('\n'));
    }

    String text() {
      return text.toString();
    }

    /** A point or an apostrophe at the start of a line would be a request. */
    private static String guarded(String line) {
      String escaped = escaped(line);
      return escaped.startsWith(".") || escaped.startsWith("'") ? "\\&" + escaped : escaped;
    }

    private static String escaped(String words) {
      return words.replace("\\", "\\e").replace("-", "\\-");
    }
  }
}
