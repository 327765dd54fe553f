package io.orrery.studio.service;

import io.orrery.core.model.ModelAlias;
import io.orrery.core.service.ModelServiceName;
import io.orrery.core.workload.ModelFiles;
import io.orrery.core.workload.ModelSource;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The model that a service serves.
 *
 * @param version empty while an alias was not looked up
 * @param alias the alias that names the version; null for none
 * @param path where it lies, for the program; null while it was not looked up in the registry
 * @param files those of the registry; null when it lies elsewhere
 */
record ServedModel(
    String name,
    String version,
    @Nullable ModelAlias alias,
    @Nullable String path,
    @Nullable ModelFiles files) {
  private static final Pattern VARIABLE =
      Pattern.compile("\\$\\{?(model_name|model_version|model_path|digits)\\b}?");

  /** Text that a shell reads as it stands: without blanks, quotes and signs of the shell. */
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_@%+=:,./-]*");

  private static final String FAULT =
      "the path of the model has characters that a shell would read: write"
          + " \"$KUBEFLOW_MODEL_PATH\" in %s in place of $model_path";

  private static final Pattern WORD = Pattern.compile("\\$(model_path|\\{model_path})");
  private static final Pattern OPTION_C = Pattern.compile("-[a-z]*c");
  private static final Pattern PATH = Pattern.compile("\\$\\{?model_path\\b");

  /** A model that is downloaded to the machine where it is served. */
  static ServedModel from(
      ModelSource source, String name, String version, @Nullable ModelAlias alias) {
    return new ServedModel(
        name,
        version,
        alias,
        ModelFiles.PLACE,
        new ModelFiles(name, version, "", source.key(version), null, source));
  }

  /** Whether the registry has to be asked for it. */
  boolean isOpen() {
    return path == null;
  }

  /** The name that the service has to have. */
  String serviceName(ServiceType type) {
    return ModelServiceName.of(type.word(), name, version);
  }

  /**
   * The reason why the path of the model cannot stand in a command; null when it can. A path of the
   * registry may be another user's, and a word of a command may be read by a shell. A word that is
   * the path and nothing else is not, unless it follows an option such as {@code -c}.
   */
  @Nullable String commandFault(List<String> command) {
    for (int i = 0; i < command.size(); i++) {
      boolean alone = WORD.matcher(command.get(i)).matches();
      boolean code = i == 0 || OPTION_C.matcher(command.get(i - 1)).matches();
      if (isRead(command.get(i)) && (!alone || code)) {
        return FAULT.formatted("the command");
      }
    }
    return null;
  }

  /** The same of a file, which may be a script. */
  @Nullable String fileFault(String text) {
    return isRead(text) ? FAULT.formatted("the file") : null;
  }

  private boolean isRead(String text) {
    return path != null
        // Files of the registry lie where the server puts them: no user has named that place.
        && !path.equals(ModelFiles.PLACE)
        && !PLAIN.matcher(path).matches()
        && PATH.matcher(text).find();
  }

  /**
   * A text with the values of {@code $model_name}, {@code $model_version}, {@code $model_path}; the
   * same text while they are not known.
   */
  String fill(String text) {
    if (isOpen()) {
      return text;
    }
    Matcher variables = VARIABLE.matcher(text);
    return variables.replaceAll(variable ->
        Matcher.quoteReplacement(
            switch (variable.group(1)) {
              case "model_name" -> name;
              case "model_version" -> version;
              case "digits" -> version.replaceAll("[^0-9]", "");
              default -> Objects.requireNonNullElse(path, "");
            }));
  }
}
