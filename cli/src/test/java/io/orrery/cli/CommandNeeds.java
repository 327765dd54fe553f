package io.orrery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The operations of the API that each command calls, as {@code verb-needs.txt} declares them.
 * Entries that begin with {@code nnictl} are those of the commands that NNI's program has of its
 * own; the others are in both programs.
 */
final class CommandNeeds {
  /** Stands for no operation: the command asks no server. */
  static final String NONE = "-";

  /** Stands for the API of MLflow, which the document of the API does not have. */
  static final String MLFLOW = "MLflow";

  /** Stands for reading by NNI's API, which the document of the API does not have. */
  static final String NNI = "NNI";

  /** The program whose commands have entries that begin with its name. */
  static final String NNICTL = "nnictl";

  private static final Path DOCUMENTS =
      Path.of("../gateway/src/main/resources/io/orrery/gateway/docs/openapi");
  private static final Pattern LINE =
      Pattern.compile(
          "^  (?<path>/[^ ]*):$|^    (?<method>get|put|post|patch|delete):$"
              + "|^      operationId: (?<id>\\w+)$",
          Pattern.MULTILINE);

  static final CommandNeeds DECLARED = new CommandNeeds();

  /**
   * The needs of a command.
   *
   * @param operations those that it is for
   * @param also those by which it looks things up, and of some of its flags
   */
  record Entry(List<String> operations, List<String> also) {
    Stream<String> all() {
      return Stream.concat(operations.stream(), also.stream());
    }
  }

  /** An operation of the document of the API, with the requests that it answers. */
  private record Operation(String id, Pattern request) {}

  private final Map<String, Entry> entries = new LinkedHashMap<>();
  private final List<Operation> operations = new ArrayList<>();

  private CommandNeeds() {
    try (InputStream in = CommandNeeds.class.getResourceAsStream("verb-needs.txt")) {
      new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .forEach(this::add);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    try (Stream<Path> files = Files.list(DOCUMENTS)) {
      for (Path file : files.toList()) {
        read(Files.readString(file));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    operations.add(
        new Operation(MLFLOW, Pattern.compile("[A-Z]+ /api/2\\.0/mlflow(-artifacts)?/.*")));
    operations.add(
        new Operation(NNI, Pattern.compile("GET (/experiments/[^/]+)?/api/v1/nni/[^/]+")));
  }

  private void add(String line) {
    String[] parts = line.split(" = ", 2);
    String[] calls = parts[1].split(";", 2);
    entries.put(
        parts[0], new Entry(words(calls[0]), calls.length == 1 ? List.of() : words(calls[1])));
  }

  private static List<String> words(String text) {
    return List.of(text.strip().split(" +"));
  }

  private void read(String document) {
    String path = "";
    String method = "";
    Matcher found = LINE.matcher(document);
    while (found.find()) {
      if (found.group("path") != null) {
        path = found.group("path");
      } else if (found.group("method") != null) {
        method = found.group("method").toUpperCase(Locale.ROOT);
      } else {
        // The path of a file has several steps.
        String request =
            path.replace("{path}", "\u0000")
                .replaceAll("\\{[^}]*}", "[^/]+")
                .replace("\u0000", ".+");
        operations.add(new Operation(found.group("id"), Pattern.compile(method + " " + request)));
      }
    }
  }

  /** The entries by their commands, in the order of the file. */
  Map<String, Entry> entries() {
    return entries;
  }

  /** Whether the document of the API has an operation. */
  boolean has(String operation) {
    return operations.stream().anyMatch(known -> known.id().equals(operation));
  }

  /**
   * Fails when a command has asked for what is not declared.
   *
   * @param program by which it was called: {@code orrery} or {@code nnictl}
   * @param requests method and path of each, with the query
   */
  void check(String program, List<String> arguments, List<String> requests) {
    String line = String.join(" ", arguments) + " ";
    Optional<String> own =
        program.equals(NNICTL) ? declared(NNICTL + " " + line) : Optional.empty();
    own.or(() -> declared(line))
        .ifPresent(known ->
            requests.forEach(request ->
                assertThat(entries.get(known).all())
                    .as("%s, declared for: %s of %s", request, known, program)
                    .contains(operation(request))));
  }

  private Optional<String> declared(String line) {
    return entries.keySet().stream()
        .filter(each -> line.startsWith(each + " "))
        .max(Comparator.comparing(String::length));
  }

  /** The operation that answers a request; the one with a literal path comes before a parameter. */
  private String operation(String request) {
    String plain = request.replaceAll("\\?.*", "");
    return operations.stream()
        .filter(each -> each.request().matcher(plain).matches())
        .min(Comparator.comparing(each -> each.request().pattern().contains("[^/]+")))
        .map(Operation::id)
        .orElse("no operation of the API");
  }
}
