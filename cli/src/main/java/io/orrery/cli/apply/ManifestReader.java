package io.orrery.cli.apply;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.print.Terminal;
import io.orrery.core.json.Document;
import io.orrery.core.problem.FileFault;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.text.Nearest;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads documents from files and directories, several to a file, with everything that is wrong. */
final class ManifestReader {
  private static final int MOST_BYTES = 16 << 20;
  private static final String STDIN = "-";

  private final Terminal terminal;
  private final InputStream stdin;
  private final List<String> findings = new ArrayList<>();
  private final List<Manifest> manifests = new ArrayList<>();
  private final Set<String> seen = new HashSet<>();

  ManifestReader(Terminal terminal, InputStream stdin) {
    this.terminal = terminal;
    this.stdin = stdin;
  }

  /** Lines about what is wrong. */
  List<String> findings() {
    return findings;
  }

  /**
   * Reads a file, all YAML and JSON files below a directory, or stdin ({@code -}).
   *
   * @return the documents so far, in the order in which they depend on each other
   */
  List<Manifest> read(String name) {
    try {
      if (name.equals(STDIN)) {
        split("stdin", null, new String(stdin.readNBytes(MOST_BYTES), StandardCharsets.UTF_8));
        return sorted();
      }
      Path path = terminal.directory().resolve(name).normalize();
      if (Files.isDirectory(path)) {
        directory(name, path);
      } else {
        file(name, path);
      }
      return sorted();
    } catch (IOException e) {
      throw CommandFailure.refused(name + ": cannot be read: " + FileFault.words(e));
    }
  }

  private void directory(String name, Path path) throws IOException {
    List<Path> files;
    try (Stream<Path> below = Files.walk(path)) {
      files =
          below.filter(Files::isRegularFile).filter(ManifestReader::isDocument).sorted().toList();
    }
    if (files.isEmpty()) {
      throw CommandFailure.refused(name + ": there is no YAML or JSON file in it");
    }
    for (Path file : files) {
      file(Path.of(name).resolve(path.relativize(file)).toString(), file);
    }
  }

  private static boolean isDocument(Path file) {
    return String.valueOf(file.getFileName())
        .toLowerCase(Locale.ROOT)
        .matches("[^.].*\\.(ya?ml|json)");
  }

  private void file(String name, Path path) throws IOException {
    if (!Files.isRegularFile(path)) {
      throw CommandFailure.refused(name + ": there is no such file");
    }
    if (Files.size(path) > MOST_BYTES) {
      throw CommandFailure.refused(name + ": it is larger than 16 MiB");
    }
    split(name, path.toAbsolutePath().getParent(), Files.readString(path));
  }

  /** Cuts a text at its lines of {@code ---}. */
  private void split(String name, @Nullable Path folder, String text) {
    List<String> lines = text.lines().toList();
    int from = 0;
    for (int at = 0; at <= lines.size(); at++) {
      boolean end = at == lines.size() || lines.get(at).matches("---(\\s.*)?");
      if (end) {
        String part = String.join("\n", lines.subList(from, at)) + "\n";
        boolean empty =
            part.lines().allMatch(line -> line.isBlank() || line.strip().startsWith("#"));
        if (!empty) {
          document(name, folder, from, part);
        }
        from = at + 1;
      }
    }
  }

  private void document(String name, @Nullable Path folder, int above, String text) {
    Document document;
    try {
      document = Document.readCore(text);
    } catch (ProblemException e) {
      List<Finding> all =
          e.problem() instanceof Problem.Refused refused && !refused.findings().isEmpty()
              ? refused.findings()
              : List.of(new Finding("", e.problem().detail()));
      for (Finding finding : all) {
        Integer line = finding.line();
        findings.add(
            "%s:%d: %s".formatted(name, above + (line == null ? 1 : line), finding.message()));
      }
      return;
    }
    if (!(document.root() instanceof ObjectNode root)) {
      findings.add("%s:%d: a document is an object with a kind".formatted(name, above + 1));
      return;
    }
    String word = root.path("kind").asText("");
    Optional<ObjectKind> kind = ObjectKind.of(word);
    if (kind.isEmpty()) {
      Integer line = document.line("/kind");
      findings.add(
          "%s:%d: /kind: %s; there is %s%s"
              .formatted(
                  name,
                  above + (line == null ? 1 : line),
                  word.isEmpty() ? "a kind is missing" : "there is no kind '" + word + "'",
                  String.join(", ", ObjectKind.words()),
                  Nearest.hint(word, ObjectKind.words())));
      return;
    }
    Manifest manifest = new Manifest(name, folder, above, document, kind.get());
    if (manifest.isNameless()) {
      findings.add(manifest.place(new Finding("/name", "a name is missing")));
    } else if (!seen.add(manifest.title())) {
      findings.add(manifest.place(new Finding("/name", manifest.title() + " is there twice")));
    }
    // What else is wrong in it is found with the rest.
    manifests.add(manifest);
  }

  private List<Manifest> sorted() {
    return manifests.stream().sorted((one, other) -> one.kind().compareTo(other.kind())).toList();
  }
}
