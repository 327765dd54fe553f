package io.orrery.studio.pipeline;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.contract.Templates.Template;
import io.orrery.core.run.PipelineName;
import java.time.Instant;
import java.util.List;
import java.util.Map;
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

  private static final List<Template> ALL = List.of(of("python", PYTHON), of("shell", SHELL));

  private BuiltInTemplates() {}

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
            read.name(), true, null, read.command(), "code", Map.of(), read.arguments())
        : read;
  }
}
