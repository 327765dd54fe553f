package io.orrery.gateway.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Compares what the page asks of the API with what commands are for: a command whose operation has
 * no line in {@code page-operations.txt} fails here, and so does a line whose call is not there.
 */
class PageOperationsTest {
  private static final Path SCRIPTS = Path.of("../ui-static/src/main/resources/ui");
  private static final Path COMMANDS =
      Path.of("../cli/src/test/resources/io/orrery/cli/verb-needs.txt");
  private static final Path PAGE = Path.of("../docs/page.md");
  private static final String NONE = "-";

  /** Stands for the API of MLflow, which has pages of programs of its own. */
  private static final String MLFLOW = "MLflow";

  private final Map<String, String> lines = new LinkedHashMap<>();

  @BeforeEach
  void read() throws IOException {
    try (InputStream in = PageOperationsTest.class.getResourceAsStream("page-operations.txt")) {
      new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .map(line -> line.split(" = ", 2))
          .forEach(parts -> assertThat(lines.put(parts[0], parts[1])).as(parts[0]).isNull());
    }
  }

  /** Operations that commands are for, by the commands; those of NNI's command are among them. */
  private static Map<String, List<String>> wanted() throws IOException {
    Map<String, List<String>> wanted = new LinkedHashMap<>();
    for (String line : Files.readAllLines(COMMANDS)) {
      if (!line.startsWith("#") && !line.startsWith("nnictl ")) {
        String[] parts = line.split(" = ", 2);
        for (String operation : parts[1].split(";")[0].strip().split(" +")) {
          wanted.computeIfAbsent(operation, name -> new ArrayList<>()).add(parts[0]);
        }
      }
    }
    wanted.keySet().removeAll(Set.of(NONE, MLFLOW));
    return wanted;
  }

  /** The scripts of the page but those that only ask the server. */
  private static List<String> callers() throws IOException {
    try (Stream<Path> files = Files.walk(SCRIPTS)) {
      List<String> all = new ArrayList<>();
      for (Path file : files.filter(each -> each.toString().endsWith(".js")).toList()) {
        Path name = SCRIPTS.relativize(file);
        if (!name.startsWith("api") && !name.equals(Path.of("api.js"))) {
          all.add(Files.readString(file));
        }
      }
      return all;
    }
  }

  @Test
  void everyOperationOfACommandHasItsLine() throws IOException {
    assertThat(lines.keySet()).containsExactlyInAnyOrderElementsOf(wanted().keySet());
  }

  @Test
  void thePageAsksForEachOperationThatItOffers() throws IOException {
    List<String> callers = callers();
    lines.forEach((operation, call) -> {
      if (!call.equals(NONE)) {
        String[] parts = call.split(" ", 2);
        Pattern asked = Pattern.compile("(?<![\\w.])" + Pattern.quote(parts[0]) + "\\b");
        assertThat(callers)
            .as("%s by %s", operation, call)
            .anyMatch(script ->
                asked.matcher(script).find() && (parts.length == 1 || script.contains(parts[1])));
      }
    });
  }

  @Test
  void theCommandsThatThePageDoesNotReplaceAreInItsDocumentation() throws IOException {
    String heading = "## What the command line does besides";
    String text = Files.readString(PAGE);
    assertThat(text).contains(heading);
    String section = text.substring(text.indexOf(heading)).split("\n## ", 2)[0];
    Map<String, List<String>> wanted = wanted();
    Set<String> besides = new TreeSet<>();
    lines.forEach((operation, call) -> {
      if (call.equals(NONE)) {
        besides.addAll(wanted.get(operation));
      }
    });
    Set<String> named =
        Pattern.compile("`orrery ([a-z]+( [a-z]+)?)`")
            .matcher(section)
            .results()
            .map(found -> found.group(1))
            .collect(Collectors.toCollection(TreeSet::new));

    assertThat(named).containsAll(besides);
  }
}
