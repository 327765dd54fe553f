package io.orrery.gateway.build;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.image.BuildSpec;
import io.orrery.core.image.ImageReference;
import io.orrery.core.project.SecretReference;
import io.orrery.core.workload.Workspaces;
import io.orrery.gateway.http.Fields;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the keys of a document {@code ImageBuild} that say how the image is built. */
final class BuildDocument {
  static final List<String> KEYS =
      List.of("kind", "name", "project", "target", "dockerfile", "context", "args", "secrets");

  private static final int MOST_TEXT = 400;
  private static final int MOST_OBJECT = BuildSpec.MOST_ARGS * (BuildSpec.MOST_VALUE + MOST_TEXT);
  private static final Pattern ARGUMENT = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,99}");
  private static final Pattern SECRET = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,99}");
  private static final Pattern DIGEST = Pattern.compile("(?:sha256:)?([0-9a-f]{64})");

  private BuildDocument() {}

  /** The specification; what is wrong is noted in the fields. */
  static BuildSpec read(Fields fields) {
    String target = fields.text("target", MOST_TEXT);
    if (target == null
        || ImageReference.parse(target).filter(image -> image.digest() == null).isEmpty()) {
      fields.wrong("target", "the target is a name such as hub.example.com/vision/tool:1");
    }
    String dockerfile = fields.text("dockerfile", BuildSpec.MOST_DOCKERFILE);
    ObjectNode context = fields.object("context", 2_000);
    context
        .fieldNames()
        .forEachRemaining(key -> {
          if (!key.equals("workspace") && !key.equals("upload")) {
            fields.wrong("context/" + key, "a context has workspace or upload");
          }
        });
    String workspace = text(fields, context, "workspace");
    String upload = text(fields, context, "upload");
    if (workspace != null && upload != null) {
      fields.wrong("context", "a context has one of workspace and upload");
    }
    if (workspace != null) {
      workspace = directory(fields, workspace);
    }
    if (upload != null) {
      var digest = DIGEST.matcher(upload);
      if (digest.matches()) {
        upload = digest.group(1);
      } else {
        fields.wrong("context/upload", "an upload is named by its digest: sha256 and 64 digits");
      }
    }
    if (dockerfile == null && workspace == null && upload == null) {
      fields.wrong("dockerfile", "either dockerfile or context is needed");
    }
    return new BuildSpec(
        target == null ? "" : target,
        dockerfile,
        workspace,
        upload,
        values(fields, "args", ARGUMENT),
        secrets(fields));
  }

  private static @Nullable String text(Fields fields, ObjectNode object, String key) {
    JsonNode value = object.path(key);
    if (value.isMissingNode() || value.isNull()) {
      return null;
    }
    if (!value.isTextual() || value.textValue().length() > MOST_TEXT) {
      fields.wrong("context/" + key, "it is a text of at most %d characters".formatted(MOST_TEXT));
      return null;
    }
    return value.textValue();
  }

  private static String directory(Fields fields, String text) {
    String bare = text.replaceFirst("/+$", "");
    Path path = bare.indexOf('\0') < 0 ? Path.of(bare) : Path.of("");
    if (!path.isAbsolute()
        || !path.startsWith("/mnt")
        || path.getNameCount() < 2
        || !path.normalize().equals(path)) {
      fields.wrong(
          "context/workspace",
          "a directory of your workspace is /mnt/<you>/… , not '%s'".formatted(text));
    }
    return path.toString();
  }

  private static Map<String, String> values(Fields fields, String key, Pattern names) {
    Map<String, String> values = new TreeMap<>();
    fields
        .object(key, MOST_OBJECT)
        .properties()
        .forEach(entry -> {
          String value = entry.getValue().isContainerNode() ? null : entry.getValue().asText();
          if (!names.matcher(entry.getKey()).matches()) {
            fields.wrong(key, "'%s' is no name of one of %s".formatted(entry.getKey(), key));
          } else if (value == null
              || value.length() > BuildSpec.MOST_VALUE
              || value.indexOf('\0') >= 0) {
            fields.wrong(
                key + "/" + entry.getKey(),
                "a value is a text of at most %,d characters".formatted(BuildSpec.MOST_VALUE));
          } else {
            values.put(entry.getKey(), value);
          }
        });
    if (values.size() > BuildSpec.MOST_ARGS) {
      fields.wrong(key, "there are at most %d of %s".formatted(BuildSpec.MOST_ARGS, key));
    }
    return values;
  }

  private static Map<String, String> secrets(Fields fields) {
    Map<String, String> secrets = values(fields, "secrets", SECRET);
    secrets.forEach((id, value) -> {
      if (SecretReference.name(value).isEmpty()) {
        fields.wrong("secrets/" + id, "it is a reference to a secret of the project: secret:NAME");
      }
    });
    return secrets;
  }

  /** Whether a directory is of the workspace of a user. */
  static boolean isOf(String directory, String user) {
    return Path.of(directory).startsWith(Workspaces.shownAt(user));
  }
}
