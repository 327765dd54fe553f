package io.orrery.studio.pipeline;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.run.PipelineName;
import io.orrery.core.text.Nearest;
import io.orrery.studio.document.DocumentKeys;
import io.orrery.studio.document.VariableReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the document of a template, with everything that is wrong in it. */
final class TemplateDocumentReader {
  /** The keys that a document may have. */
  static final List<String> KEYS =
      List.of(
          "kind",
          "name",
          "title",
          "describe",
          "project",
          "group",
          "version",
          "image",
          "command",
          "env",
          "arguments",
          "demo");

  private static final int MOST_WORDS = 1_000;
  private static final int MOST_TEXT = 10_000;
  private static final String RELEASE = "Release";
  private static final List<String> VERSIONS = List.of(RELEASE, "Alpha");

  private final List<Finding> findings = new ArrayList<>();
  private final DocumentKeys keys;

  private TemplateDocumentReader(ObjectNode json) {
    this.keys = DocumentKeys.of(json, "", KEYS, findings::add);
  }

  /**
   * Reads a document.
   *
   * @throws io.orrery.core.problem.ProblemException Refused, with every finding
   */
  static TemplateDocument read(PipelineName name, String text) {
    if (!(Json.parse(text) instanceof ObjectNode json)) {
      throw new Problem.Refused(new Finding("", "the document of a template is an object"))
          .toException();
    }
    TemplateDocumentReader reader = new TemplateDocumentReader(json);
    TemplateDocument document = reader.document(name);
    if (!reader.findings.isEmpty()) {
      throw Problem.Refused.of(reader.findings).toException();
    }
    return document;
  }

  private TemplateDocument document(PipelineName name) {
    DocumentNames.check(keys, "Template", name);
    keys.text("title", 500);
    keys.text("describe", MOST_TEXT);
    keys.text("group", 200);
    String version = keys.text("version", 100);
    if (version != null && !VERSIONS.contains(version)) {
      keys.wrong("version", "version is Release or Alpha" + Nearest.hint(version, VERSIONS));
    }
    String image = keys.text("image", 500);
    List<String> command = command();
    if (command.isEmpty() && image == null) {
      keys.wrong("command", "a template needs a command or an image");
    }
    ObjectNode groups = keys.object("arguments");
    Map<String, Argument> arguments =
        groups == null
            ? Map.of()
            : ArgumentReader.groups(groups, keys.pointer("arguments"), findings::add);
    ObjectNode demo = keys.object("demo");
    if (demo != null) {
      ArgumentCheck.all(arguments, demo, keys.pointer("demo"), findings::add);
    }
    return new TemplateDocument(
        name.value(),
        version == null || version.equals(RELEASE),
        image,
        command,
        null,
        VariableReader.read(keys, "env", DocumentNames::isServers),
        arguments);
  }

  /** A list of words, or a text of words without quotes. */
  private List<String> command() {
    @Nullable JsonNode value = keys.value("command");
    List<String> words = new ArrayList<>();
    if (value != null && value.isArray()) {
      value.forEach(word -> words.add(word.asText()));
      boolean right = words.size() <= MOST_WORDS && !words.isEmpty();
      for (JsonNode word : value) {
        right &= word.isValueNode() && word.asText().indexOf('\0') < 0;
      }
      if (!right) {
        keys.wrong("command", "command is a list of words such as [python3, train.py]");
        return List.of();
      }
      return words;
    }
    String text = keys.text("command", MOST_TEXT);
    if (text == null || text.isBlank()) {
      return List.of();
    }
    if (text.chars().anyMatch(c -> "'\"\\`$&|;<>()\n".indexOf(c) >= 0)) {
      keys.wrong(
          "command",
          "the arguments of a template follow its command, so a shell cannot read it: write a list"
              + " such as [sh, -c, \"…\"]");
      return List.of();
    }
    return List.of(text.strip().split("\\s+"));
  }
}
