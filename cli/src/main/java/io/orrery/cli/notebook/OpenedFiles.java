package io.orrery.cli.notebook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import io.orrery.cli.print.Words;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The files that {@code orrery notebook open} copies into one's own directory: one of three. */
final class OpenedFiles {
  private static final String TENSORBOARD = "tensorboard";

  @Option(
      names = "--from-run",
      paramLabel = "RUN/STEP",
      description = "Copy and open the outputs of a step.")
  @Nullable String run;

  @Option(
      names = "--from-experiment",
      paramLabel = "ID/TRIAL",
      description = "Copy and open the files of a trial.")
  @Nullable String experiment;

  @Option(
      names = "--from-model",
      paramLabel = "NAME@VERSION",
      description = "Copy and open the files of a version of a model; NAME@ALIAS does as well.")
  @Nullable String model;

  /** The notebook that they are opened in: one of the caller's own, whose directory it shows. */
  String notebook(Session session, @Nullable String named) {
    String user = user(session);
    if (named != null) {
      JsonNode notebook = session.api().get(Resource.of("notebooks", named));
      if (!isOf(notebook, user)) {
        throw CommandFailure.refused(
            "notebook %s is %s of %s and does not show your files: name a notebook of yours"
                .formatted(named, notebook.path("ide").asText(), notebook.path("owner").asText()));
      }
      return named;
    }
    List<String> own =
        session.api().list(Resource.of("notebooks").with("owner", user), null).stream()
            .filter(notebook -> isOf(notebook, user))
            .map(notebook -> notebook.path("name").asText())
            .toList();
    if (own.size() != 1) {
      throw CommandFailure.refused(
          own.isEmpty()
              ? "there is no notebook of yours: make one with orrery notebook create"
              : "there are several notebooks of yours: name one, as in orrery notebook open "
                  + own.getFirst());
    }
    return own.getFirst();
  }

  private static boolean isOf(JsonNode notebook, String user) {
    return notebook.path("owner").asText().equals(user)
        && !notebook.path("ide").asText().equals(TENSORBOARD);
  }

  private static String user(Session session) {
    return session.api().get(Resource.of("me")).path("user").asText();
  }

  /**
   * Copies the files, unless the directory is there already.
   *
   * @return the directory as programs see it
   */
  String copy(Session session) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.set("from", source());
    JsonNode copy = session.api().postLong(Resource.of("files", user(session)), body);
    String path = copy.path("path").asText();
    session
        .terminal()
        .say(
            copy.path("copied").asBoolean()
                ? "%s files (%s) are in %s"
                    .formatted(
                        copy.path("files").asText(), Words.bytes(copy.path("bytes").asLong()), path)
                : path + " was there already, and is opened as it is");
    return path;
  }

  private ObjectNode source() {
    if (run != null) {
      return split(run, '/', "--from-run", "RUN/STEP, such as 7f3a/train", "run", "step");
    }
    if (experiment != null) {
      return split(
          experiment,
          '/',
          "--from-experiment",
          "ID/TRIAL, such as digits01/abcde",
          "experiment",
          "trial");
    }
    return split(
        String.valueOf(model),
        '@',
        "--from-model",
        "NAME@VERSION, such as digits@3",
        "model",
        "version");
  }

  private static ObjectNode split(
      String text, char between, String option, String form, String first, String second) {
    int at = text.indexOf(between);
    if (at <= 0 || at == text.length() - 1) {
      throw CommandFailure.refused("%s must be %s; this is %s".formatted(option, form, text));
    }
    return JsonNodeFactory.instance
        .objectNode()
        .put(first, text.substring(0, at))
        .put(second, text.substring(at + 1));
  }
}
