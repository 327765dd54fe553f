package io.orrery.cli.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.print.Prompt;
import io.orrery.core.json.Document;
import io.orrery.core.json.Json;
import io.orrery.core.json.Pointer;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Secrets that a configuration leaves to the user who submits it: {@code password: prompt:NAME}.
 * Each name is asked for once. Only keys of secrets are looked at, and none of the search space:
 * there such a text may be a value like any other.
 */
final class AskedSecrets {
  private static final Pattern WRITTEN = Pattern.compile("prompt:([A-Za-z0-9_.-]+)");
  private static final Pattern KEY =
      Pattern.compile(".*(password|passwd|passphrase|secret|token|accountkey|accesskey).*");

  /** Where secrets are left open, and the name of each, in the order of the file. */
  private final Map<String, String> open = new LinkedHashMap<>();

  private final String file;
  private final String text;
  private final Document document;

  /**
   * @param file its name, for messages
   * @param text YAML or JSON
   */
  AskedSecrets(String file, String text) {
    this.file = file;
    this.text = text;
    this.document = Document.read(text);
    document.root().properties().stream()
        .filter(section -> !section.getKey().toLowerCase(Locale.ROOT).startsWith("searchspace"))
        .forEach(section ->
            find(section.getValue(), section.getKey(), Pointer.child("", section.getKey())));
  }

  private void find(JsonNode node, String key, String pointer) {
    if (node.isObject()) {
      node.properties()
          .forEach(
              each -> find(each.getValue(), each.getKey(), Pointer.child(pointer, each.getKey())));
    } else if (node.isArray()) {
      for (int i = 0; i < node.size(); i++) {
        find(node.get(i), key, Pointer.child(pointer, i));
      }
    } else if (KEY.matcher(key.toLowerCase(Locale.ROOT).replace("_", "")).matches()) {
      Matcher written = WRITTEN.matcher(node.asText());
      if (written.matches()) {
        open.put(pointer, written.group(1));
      }
    }
  }

  /**
   * The text with what was answered in the places of the names; its lines stay where they are.
   *
   * @throws CommandFailure refused, when there is no answer
   */
  String filled(Prompt prompt) {
    Map<String, String> answers = new LinkedHashMap<>();
    String[] lines = text.split("\n", -1);
    open.forEach((pointer, name) -> {
      int line = at(pointer, name, lines);
      String answer = answers.computeIfAbsent(name, fresh -> asked(prompt, pointer, fresh));
      lines[line] =
          place(name)
              .matcher(lines[line])
              .replaceFirst(Matcher.quoteReplacement(Json.write(answer)));
    });
    String filled = String.join("\n", lines);
    JsonNode root = open.isEmpty() ? document.root() : Document.read(filled).root();
    open.forEach((pointer, name) -> {
      if (!root.at(pointer).asText().equals(answers.get(name))) {
        throw unclear(pointer, name);
      }
    });
    return filled;
  }

  /** The line on which a name stands, which is not before the line of its key. */
  private int at(String pointer, String name, String[] lines) {
    Integer first = document.line(pointer);
    for (int i = first == null ? 0 : first - 1; i < lines.length; i++) {
      if (place(name).matcher(lines[i]).find()) {
        return i;
      }
    }
    throw unclear(pointer, name);
  }

  private static Pattern place(String name) {
    return Pattern.compile("([\"']?)prompt:" + Pattern.quote(name) + "(?![A-Za-z0-9_.-])\\1");
  }

  private CommandFailure unclear(String pointer, String name) {
    return CommandFailure.refused(
        placed(pointer)
            + "write prompt:"
            + name
            + " on the line of its key, and in no comment there");
  }

  private String asked(Prompt prompt, String pointer, String name) {
    String answer = prompt.ask(file + ": " + name + " (" + pointer.substring(1) + "): ");
    if (answer == null) {
      throw CommandFailure.refused(
          placed(pointer)
              + "no user can be asked for '"
              + name
              + "', for there is no terminal: write env:NAME or file:/path instead");
    }
    if (answer.isEmpty()) {
      throw CommandFailure.refused(placed(pointer) + "nothing was given for '" + name + "'");
    }
    return answer;
  }

  private String placed(String pointer) {
    Integer line = document.line(pointer);
    return file + ":" + (line == null ? 1 : line) + ": " + pointer + ": ";
  }
}
