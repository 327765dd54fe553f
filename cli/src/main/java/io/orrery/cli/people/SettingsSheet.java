package io.orrery.cli.people;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import io.orrery.core.json.Document;
import io.orrery.core.problem.Finding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks the settings of a project, and prints what is found with its place in the file. */
final class SettingsSheet {
  private static final String SETTINGS = "/settings";

  private SettingsSheet() {}

  /** Reads a file of settings. */
  static Document read(Path file) {
    try {
      return Document.read(Files.readString(file));
    } catch (IOException e) {
      throw CommandFailure.refused("could not read " + file + ": " + e.getMessage());
    }
  }

  /**
   * Asks and prints.
   *
   * @param file null for the settings that the project has
   * @return the exit status: 2 when there are faults
   */
  static int check(Session session, String project, @Nullable Path file) {
    Document document = file == null ? null : read(file);
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    if (document != null) {
      body.set("settings", document.root());
    }
    JsonNode answer =
        session
            .api()
            .post(Resource.of("projects", project, "check"), body.toString(), "application/json");
    boolean valid = answer.path("valid").asBoolean();
    if (session.json()) {
      session.print(answer);
      return valid ? 0 : CommandFailure.REFUSED;
    }
    print(session, "", answer.path("errors"), document, file);
    print(session, "note: ", answer.path("notices"), document, file);
    if (valid) {
      session.terminal().out().println("the settings of " + project + " are right");
    }
    return valid ? 0 : CommandFailure.REFUSED;
  }

  private static void print(
      Session session,
      String before,
      JsonNode findings,
      @Nullable Document document,
      @Nullable Path file) {
    for (JsonNode each : findings) {
      String pointer = each.path("pointer").asText();
      Finding finding =
          new Finding(
              pointer.startsWith(SETTINGS) ? pointer.substring(SETTINGS.length()) : pointer,
              each.path("message").asText());
      if (document != null) {
        finding = document.placed(List.of(finding)).getFirst();
      }
      String place = file == null ? "" : file + ", ";
      session.terminal().out().println(before + place + finding.text());
    }
  }
}
