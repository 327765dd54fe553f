package io.orrery.gateway.build;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.code.GitSource;
import io.orrery.core.project.SecretReference;
import io.orrery.gateway.http.Fields;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the key {@code context} of a build; what is wrong is noted in the fields. */
final class BuildContextReader {
  private static final int MOST_TEXT = 1_000;
  private static final Set<String> OF_GIT = Set.of("git", "ref", "user", "password");
  private static final Pattern DIGEST = Pattern.compile("(?:sha256:)?([0-9a-f]{64})");
  private static final Pattern USER = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.@+-]{0,199}");

  private final Fields fields;
  private final ObjectNode context;

  BuildContextReader(Fields fields, ObjectNode context) {
    this.fields = fields;
    this.context = context;
    context
        .fieldNames()
        .forEachRemaining(key -> {
          boolean known = key.equals("workspace") || key.equals("upload") || OF_GIT.contains(key);
          if (!known) {
            fields.wrong("context/" + key, "a context has workspace, upload or git with ref");
          } else if (OF_GIT.contains(key) && !context.has("git")) {
            fields.wrong("context/" + key, key + " belongs to a context with git");
          }
        });
  }

  @Nullable String workspace() {
    String text = text("workspace");
    return text == null ? null : directory(text);
  }

  @Nullable String upload() {
    String text = text("upload");
    if (text == null) {
      return null;
    }
    var digest = DIGEST.matcher(text);
    if (!digest.matches()) {
      fields.wrong("context/upload", "an upload is named by its digest: sha256 and 64 digits");
      return text;
    }
    return digest.group(1);
  }

  @Nullable GitSource git() {
    String url = text("git");
    if (url == null) {
      return null;
    }
    GitSource.findUrlFault(url).ifPresent(fault -> fields.wrong("context/git", fault));
    String ref = text("ref");
    if (ref == null || !GitSource.isRef(ref)) {
      fields.wrong("context/ref", GitSource.REF_RULE);
    }
    String user = text("user");
    if (user != null && !USER.matcher(user).matches()) {
      fields.wrong("context/user", "'%s' is no name of a user".formatted(user));
    }
    String password = text("password");
    if (password != null && SecretReference.name(password).isEmpty()) {
      fields.wrong("context/password", "it is a reference to a secret of the project: secret:NAME");
    }
    return new GitSource(url, ref == null ? "" : ref, user, password);
  }

  private @Nullable String text(String key) {
    JsonNode value = context.path(key);
    if (value.isMissingNode() || value.isNull()) {
      return null;
    }
    if (!value.isTextual() || value.textValue().length() > MOST_TEXT) {
      fields.wrong("context/" + key, "it is a text of at most %d characters".formatted(MOST_TEXT));
      return null;
    }
    return value.textValue();
  }

  private String directory(String text) {
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
}
