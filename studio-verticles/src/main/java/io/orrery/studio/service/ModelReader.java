package io.orrery.studio.service;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.model.ModelAlias;
import io.orrery.core.model.ModelName;
import io.orrery.core.model.VersionName;
import io.orrery.core.service.ServiceName;
import io.orrery.core.workload.ModelSource;
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
    DocumentKeys keys =
        document.inner(object, "model", List.of("name", "version", "alias", "path", "digest"));
    String name = keys.text("name", 100);
    String version = keys.text("version", 54);
    String alias = keys.text("alias", 100);
    String path = keys.text("path", MOST_PATH);
    String digest = keys.text("digest", 100);
    if (digest != null && (path == null || !path.contains("://"))) {
      keys.wrong("digest", "a digest is of a path that is downloaded, such as https://…");
      return null;
    }
    if (path != null && alias == null) {
      return lying(document, keys, type, service, name, version, path, digest);
    }
    if (name == null || !ModelName.valid(name)) {
      keys.wrong("name", "name is a model of the registry: " + ModelName.RULE);
      return null;
    }
    if (path != null) {
      keys.wrong("path", "an alias names files of the registry: leave the path out");
      return null;
    }
    if (alias != null && version != null) {
      keys.wrong("alias", "a model has a version or an alias, not both");
      return null;
    }
    if (alias != null) {
      if (!ModelAlias.valid(alias)) {
        keys.wrong("alias", ModelAlias.RULE);
        return null;
      }
      return new ServedModel(name, "", new ModelAlias(alias), null, null);
    }
    if (version == null || !VersionName.valid(version)) {
      keys.wrong(
          "version",
          "a model of the registry has a version such as 3, or an alias such as production");
      return null;
    }
    return named(document, new ServedModel(name, version, null, null, null), type, service);
  }

  /** A model that lies at a path, whatever the registry knows. */
  private static @Nullable ServedModel lying(
      DocumentKeys document,
      DocumentKeys keys,
      ServiceType type,
      ServiceName service,
      @Nullable String name,
      @Nullable String version,
      String path,
      @Nullable String digest) {
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
    ServedModel model =
        path.contains("://")
            ? downloaded(keys, name, version, path, digest)
            : new ServedModel(name, version, null, path, null);
    return model == null ? null : named(document, model, type, service);
  }

  /** A model that the server downloads. */
  private static @Nullable ServedModel downloaded(
      DocumentKeys keys, String name, String version, String url, @Nullable String digest) {
    String fault = ModelSource.fault(url);
    if (fault != null) {
      keys.wrong("path", fault);
      return null;
    }
    String digits = digest == null ? null : ModelSource.digits(digest);
    if (digest != null && digits == null) {
      keys.wrong("digest", ModelSource.DIGEST_RULE);
      return null;
    }
    return ServedModel.from(new ModelSource(url, digits), name, version, null);
  }

  private static ServedModel named(
      DocumentKeys document, ServedModel model, ServiceType type, ServiceName service) {
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
