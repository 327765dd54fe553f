package io.orrery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.cli.CommandNeeds.Entry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The operations of each command, and who may call them: a command without an entry in {@code
 * verb-needs.txt} fails here. {@code -Dorrery.docs.write=true} writes the page anew.
 */
@Timeout(300)
final class CommandNeedsTest {
  private static final Path ROLES = Path.of("../docs/roles.md");
  private static final Path PAGE = Path.of("../docs/reference/commands.md");
  private static final Set<String> HEADINGS =
      Set.of("Verbs:", "Programs:", "Files:", "What:", "Which:");
  private static final Pattern VERB = Pattern.compile("  [a-z].*");

  private static final Set<String> MEMBERS =
      Set.of("admin", "creator", "ops", "owner", "member", "viewer");

  /** Operations without a row in the table of roles: streams, sessions and health. */
  private static final Map<String, Set<String>> OTHERS =
      Map.of(
          "followExperiment",
          MEMBERS,
          "openShell",
          Set.of("admin", "creator", "ops", "owner"),
          "connectNotebookSsh",
          Set.of("owner"),
          "logIn",
          Set.of("all"),
          "isReady",
          Set.of("all"),
          CommandNeeds.MLFLOW,
          Set.of("admin", "creator", "owner", "member"),
          CommandNeeds.NNI,
          MEMBERS,
          "openPort",
          Set.of("admin", "creator", "owner"),
          "startTensorBoard",
          Set.of("admin"),
          "stopTensorBoard",
          Set.of("admin"));

  private static final String PAGE_BEGINS =
      """
      # Commands and what they ask for

      A table of the commands of `orrery` and `nnictl` with the [operations of the API](../api.md) that they call. A
      command may what its caller may: it sends the token of `orrery login`, `--token` or `$ORRERY_TOKEN`, and the server
      decides at each operation as [the table of roles](../roles.md) says. There is no other way in. The operations that
      a command is for come first; "also" are those that it looks things up by, and those of some of its flags. "who" is
      about the first ones, for an object of a project that the caller has a role in; "owner" is a member whose own
      object it is. A command "on this machine" asks no server, and may what its user of the operating system may.
      `nnictl` has the commands of `orrery` as well, but for those of the same name that stand here with `nnictl`.

      It is written by a test (`CommandNeedsTest`), which fails for a command without an entry.

      | command | operations | also | who |
      |---|---|---|---|
      """;

  @TempDir Path directory;
  private final Map<String, Set<String>> roles = new LinkedHashMap<>(OTHERS);
  private final Map<String, Entry> entries = CommandNeeds.DECLARED.entries();

  @BeforeEach
  void read() throws IOException {
    List<String> head = new ArrayList<>();
    for (String line : Files.readAllLines(ROLES)) {
      String[] cells = line.split("\\|", -1);
      if (line.startsWith("| operation")) {
        Stream.of(cells).map(String::strip).forEach(head::add);
      } else if (line.startsWith("| `")) {
        Set<String> allowed = new LinkedHashSet<>();
        for (int i = 2; i < cells.length; i++) {
          if (cells[i].contains("yes")) {
            allowed.add(head.get(i));
          }
        }
        roles.put(cells[1].replace("`", "").strip(), allowed);
      }
    }
  }

  private static List<String> words(String text) {
    return List.of(text.strip().split(" +"));
  }

  /** The commands of a program that have none below them, each with its help. */
  private Map<String, String> commands(String program) {
    Map<String, String> commands = new LinkedHashMap<>();
    collect(program, "", commands);
    return commands;
  }

  private void collect(String program, String command, Map<String, String> commands) {
    List<String> asked = new ArrayList<>(command.isEmpty() ? List.of() : words(command));
    asked.add("--help");
    CommandLineRun run = new CommandLineRun(directory);
    run.name = program;
    String help = run.run(asked.toArray(String[]::new)).out();
    List<String> verbs =
        help.lines()
            .dropWhile(line -> !HEADINGS.contains(line))
            .skip(1)
            .takeWhile(line -> !line.isBlank())
            .filter(line -> VERB.matcher(line).matches())
            .map(line -> line.strip().split("[ ,]")[0])
            .toList();
    verbs.forEach(verb -> collect(program, (command + " " + verb).strip(), commands));
    if (verbs.isEmpty()) {
      commands.put(command, withoutExamples(help));
    }
  }

  /**
   * The text that a command prints about itself, but for its examples and the name of the program.
   */
  private static String withoutExamples(String help) {
    return help.replace(CommandNeeds.NNICTL, "orrery").split("\nExamples?:", 2)[0].strip();
  }

  /**
   * A command that both programs have under one name is another one in {@code nnictl} when its help
   * says something else.
   */
  @Test
  void everyCommandHasItsOperationsAndEveryEntryItsCommand() {
    Map<String, String> ours = commands("orrery");
    Map<String, String> nnis = commands(CommandNeeds.NNICTL);
    Set<String> wanted = new LinkedHashSet<>(ours.keySet());
    nnis.forEach((command, help) -> {
      if (!help.equals(ours.get(command))) {
        wanted.add(CommandNeeds.NNICTL + " " + command);
      }
    });

    assertThat(entries.keySet()).containsExactlyInAnyOrderElementsOf(wanted);
  }

  @Test
  void everyOperationIsOneOfTheApiWithAKnownNeed() {
    entries.forEach((command, entry) ->
        entry
            .all()
            .filter(operation -> !operation.equals(CommandNeeds.NONE))
            .forEach(operation -> {
              assertThat(roles).as(command).containsKey(operation);
              assertThat(CommandNeeds.DECLARED.has(operation)).as(operation).isTrue();
            }));
  }

  @Test
  void thePageInTheDocumentationIsThisOne() throws IOException {
    StringBuilder page = new StringBuilder(PAGE_BEGINS);
    entries.forEach((command, entry) ->
        page.append(
            "| `%s` | %s | %s | %s |\n"
                .formatted(command, named(entry.operations()), named(entry.also()), who(entry))));
    if (Boolean.getBoolean("orrery.docs.write")) {
      Files.writeString(PAGE, page);
    }
    assertThat(PAGE).as("-Dorrery.docs.write=true writes it anew").hasContent(page.toString());
  }

  private static String named(List<String> operations) {
    return operations.stream()
        .filter(operation -> !operation.equals(CommandNeeds.NONE))
        .map(operation ->
            switch (operation) {
              case CommandNeeds.MLFLOW -> "[MLflow's API](../mlflow.md)";
              case CommandNeeds.NNI -> "[NNI's API](../nni-clients.md)";
              default -> operation;
            })
        .collect(Collectors.joining(", "));
  }

  /** The callers of the operations that a command is for. */
  private String who(Entry entry) {
    if (entry.operations().contains(CommandNeeds.NONE)) {
      return "on this machine";
    }
    Set<Set<String>> needs =
        entry.operations().stream()
            .map(roles::get)
            .collect(Collectors.toCollection(LinkedHashSet::new));
    if (needs.size() > 1) {
      return "as each operation";
    }
    Set<String> allowed = needs.iterator().next();
    return allowed.contains("stranger") || allowed.contains("all")
        ? "every user"
        : Stream.of("admin", "creator", "ops", "owner", "member", "viewer")
            .filter(allowed::contains)
            .collect(Collectors.joining(", "));
  }
}
