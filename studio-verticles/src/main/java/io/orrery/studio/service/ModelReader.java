package io.orrery.studio.service;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.service.ServiceName;
import io.orrery.studio.document.DocumentKeys;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the key {@code model} of a service's document. */
final class ModelReader {
  private static final Pattern NAME = Pattern.compile("[a-z]([a-z0-9./:_-]{0,52}[a-z0-9])?");
  private static final Pattern VERSION = Pattern.compile("[a-zA-Z0-9_.-]{1,54}");
  private static final int MOST_PATH = 4_096;

  private ModelReader() {}

  /** The model of a document; null when it has none, or a wrong one. */
  static @Nullable ServedModel read(DocumentKeys document, ServiceType type, ServiceName service) {
    ObjectNode object = document.object("model");
    if (object == null) {
      return null;
    }
    DocumentKeys keys = document.inner(object, "model", List.of("name", "version", "path"));
    String name = keys.text("name", 54);
    String version = keys.text("version", 54);
    String path = keys.text("path", MOST_PATH);
    if (name == null || !NAME.matcher(name).matches()) {
      keys.wrong(
          "name",
          "the name of a model is 1 to 54 lower-case letters, digits and . / : _ -, a letter first");
      return null;
    }
    if (version == null || !VERSION.matcher(version).matches()) {
      keys.wrong("version", "the version of a model is a text such as v1 or v2026.11.27.1");
      return null;
    }
    ServedModel model = new ServedModel(name, version, path);
    String wanted = model.serviceName(type);
    if (!wanted.equals(service.value())) {
      document.wrong(
          "name",
          "a service of this type, model and version is called %s, not %s"
              .formatted(wanted, service));
    }
    return model;
  }
}
