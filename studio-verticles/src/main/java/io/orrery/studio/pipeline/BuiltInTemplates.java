package io.orrery.studio.pipeline;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.contract.Templates.Template;
import io.orrery.core.json.Json;
import io.orrery.core.run.PipelineName;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The templates that the server brings. */
final class BuiltInTemplates {
  private static final String PYTHON =
      """
      {"kind": "Template", "name": "python", "title": "Python code", "group": "Basic commands",
       "command": ["python3", "-c"],
       "arguments": {"Code": {"code": {"type": "text", "item_type": "python", "label": "Code"}}},
       "demo": {"code": "print('hello')"}}
      """;
  private static final String SHELL =
      """
      {"kind": "Template", "name": "shell", "title": "Shell script", "group": "Basic commands",
       "command": ["/bin/sh", "-c"],
       "arguments": {"Code": {"code": {"type": "text", "item_type": "shell", "label": "Code"}}},
       "demo": {"code": "echo hello"}}
      """;

  private static final String HTTP =
      """
      {"kind": "Template", "name": "http", "title": "HTTP request", "group": "Basic commands",
       "describe": "Outputs: the values status and headers, the file body.",
       "arguments": {"Request": {
         "--url": {"label": "URL"},
         "--method": {"type": "enum", "choice": ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
                      "default": "GET"},
         "--headers": {"type": "json", "require": 0, "describe": "an object of texts"},
         "--body": {"type": "text", "require": 0},
         "--body-input": {"require": 0, "describe": "the input that is sent"},
         "--timeout": {"type": "int", "range": [1, 86400], "default": 60, "describe": "in seconds"},
         "--expect": {"default": "2xx", "describe": "statuses that are right: 200,404 or 2xx"}}},
       "demo": {"--url": "http://127.0.0.1:8080/api/v1/health"}}
      """;
  private static final String SQL =
      """
      {"kind": "Template", "name": "sql", "title": "SQL", "group": "Data",
       "describe": "Inputs are tables. Outputs: the file result.csv, the value rows, and database.",
       "arguments": {"SQL": {
         "statements": {"type": "text", "item_type": "sql", "label": "Statements"},
         "--engine": {"type": "enum", "choice": ["sqlite", "duckdb"], "default": "sqlite"}}},
       "demo": {"statements": "select 1 as one"}}
      """;
  private static final String IMPORT =
      """
      {"kind": "Template", "name": "import", "title": "Import of data", "group": "Data",
       "describe": "Outputs: the path data, and of a file the values sha256 and bytes.",
       "arguments": {"Source": {
         "--from": {"describe": "a URL, or an absolute path"},
         "--sha256": {"require": 0, "describe": "what the data must have"},
         "--unpack": {"type": "enum", "choice": ["no", "yes"], "default": "no",
                      "describe": "a tar or zip archive becomes a directory"},
         "--timeout": {"type": "int", "range": [1, 86400], "default": 600}}},
       "demo": {"--from": "/data/digits.csv"}}
      """;
  private static final String EXPORT =
      """
      {"kind": "Template", "name": "export", "title": "Export of data", "group": "Data",
       "describe": "Copies an input to a path, or sends it to a URL by PUT.",
       "arguments": {"Target": {
         "--input": {"default": "data", "describe": "the name of the input"},
         "--to": {"describe": "an absolute path, or a URL"}}},
       "demo": {"--to": "/data/out.csv"}}
      """;

  private static final String TFJOB =
      """
      {"kind": "Template", "name": "tfjob", "title": "TensorFlow, distributed", "group": "Training",
       "describe": "A TFJob of Kubeflow: chief, workers and parameter servers. Outputs: the chief's.",
       "command": ["/bin/sh", "-c"],
       "arguments": {"Job": {
         "command": {"type": "text", "item_type": "shell", "label": "Command"},
         "workers": {"type": "int", "range": [0, 1000], "default": 1, "label": "Workers"},
         "ps": {"type": "int", "range": [0, 1000], "default": 0, "label": "Parameter servers"}}},
       "demo": {"command": "python3 train.py", "workers": 2}}
      """;
  private static final String PYTORCHJOB =
      """
      {"kind": "Template", "name": "pytorchjob", "title": "PyTorch, distributed", "group": "Training",
       "describe": "A PyTorchJob of Kubeflow: a master and workers. Outputs: the master's.",
       "command": ["/bin/sh", "-c"],
       "arguments": {"Job": {
         "command": {"type": "text", "item_type": "shell", "label": "Command"},
         "workers": {"type": "int", "range": [0, 1000], "default": 1, "label": "Workers"}}},
       "demo": {"command": "python3 train.py", "workers": 2}}
      """;

  /** The argument of each template that is the last word of its command, in place of flags. */
  private static final Map<String, String> CODE =
      Map.of(
          "python",
          "code",
          "shell",
          "code",
          "sql",
          "statements",
          "tfjob",
          "command",
          "pytorchjob",
          "command");

  private static final List<Template> ALL =
      List.of(
          of("export", withProgram("export", EXPORT)),
          of("http", withProgram("http", HTTP)),
          of("import", withProgram("import", IMPORT)),
          of("python", PYTHON),
          of("pytorchjob", PYTORCHJOB),
          of("shell", SHELL),
          of("sql", withProgram("sql", SQL)),
          of("tfjob", TFJOB));

  private BuiltInTemplates() {}

  /** The document with a command that runs a program of ours, by Python's standard library. */
  private static String withProgram(String name, String document) {
    ObjectNode json = (ObjectNode) Json.parse(document);
    json.putArray("command").add("python3").add("-c").add(program(name));
    return Json.write(json);
  }

  private static String program(String name) {
    String resource = "template/" + name + ".py";
    try (InputStream from = BuiltInTemplates.class.getResourceAsStream(resource)) {
      return new String(
          Objects.requireNonNull(from, resource).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Template of(String name, String document) {
    return new Template(
        new PipelineName(name),
        ProjectName.PUBLIC,
        "",
        document,
        true,
        true,
        Instant.EPOCH,
        Instant.EPOCH,
        1);
  }

  static Optional<Template> find(PipelineName name) {
    return ALL.stream().filter(template -> template.name().equals(name)).findFirst();
  }

  /** Those whose names contain a text, in the order of their names. */
  static List<Template> withText(@Nullable String text) {
    return ALL.stream()
        .filter(template -> text == null || template.name().value().contains(text))
        .toList();
  }

  /** The document of a stored or built-in template. */
  static TemplateDocument document(Template template) {
    TemplateDocument read = TemplateDocumentReader.read(template.name(), template.document());
    return template.builtIn()
        ? new TemplateDocument(
            read.name(),
            true,
            null,
            read.command(),
            CODE.get(read.name()),
            Map.of(),
            read.arguments())
        : read;
  }
}
