package io.orrery.journeys.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A Markdown page, as the code blocks that a reader acts on. A block is a file when {@code <!--
 * file: PATH -->} stands before it, or a line that ends with the file's name and a colon; it is
 * left out for a stated reason with {@code <!-- not run: REASON -->}, and is run when one of its
 * lines is a command. A command that is meant to fail has {@code <!-- fails: N -->} before its
 * block, N counting the block's commands from 1; {@code <!-- prepare: COMMAND -->} runs a command
 * first that a reader need not.
 */
record DocsPage(Path path, List<Block> blocks) {
  private static final Pattern NOTE =
      Pattern.compile("<!-- (file|not run|fails|prepare): (.+?) -->");
  private static final Pattern FILE_NAME = Pattern.compile(".*`([\\w./-]+\\.\\w+)`( beside it)?:");
  private static final Pattern COMMAND =
      Pattern.compile(
          "(\\$ |([A-Z_]+=\\S+ )*(\\./)?(orrery|nnictl|curl|python3|pip|kubectl|docker|podman|helm"
              + "|mvn|jar|javac|prometheus|verify|git)( |$)|export [A-Z]|[a-z]+=\\$\\().*");

  /** A code block of a page. */
  sealed interface Block {
    /** The line of the page at which the block begins, from 1. */
    int line();

    /** A file that the reader writes. */
    record Written(int line, Path path, String text) implements Block {}

    /** Commands that the reader runs, one after the other in one shell. */
    record Run(int line, List<Command> commands) implements Block {}

    /** Commands that the test does not run. */
    record LeftOut(int line, String reason) implements Block {}
  }

  /**
   * A command.
   *
   * @param text a line of a shell; several when they are continued
   * @param expected the lines that it prints according to the page; empty when the page shows none
   * @param fails whether it is meant to end with another code than 0
   */
  record Command(String text, List<String> expected, boolean fails) {}

  static DocsPage read(Path path) throws IOException {
    List<Block> blocks = new ArrayList<>();
    List<String> lines = Files.readAllLines(path);
    List<Matcher> notes = new ArrayList<>();
    @Nullable String written = null;
    for (int at = 0; at < lines.size(); ) {
      String line = lines.get(at);
      int end = endOfBlock(lines, at);
      if (end > at) {
        List<String> text = text(lines, at, end);
        if (written != null && notes.isEmpty()) {
          blocks.add(written(at + 1, written, text));
        } else {
          add(blocks, at + 1, text, notes);
        }
        notes.clear();
        written = null;
        at = end;
        continue;
      }
      Matcher note = NOTE.matcher(line);
      Matcher name = FILE_NAME.matcher(line);
      if (note.matches()) {
        notes.add(note);
      } else if (name.matches()) {
        notes.clear();
        written = name.group(1);
      } else if (!line.isBlank()) {
        notes.clear();
        written = null;
      }
      at++;
    }
    return new DocsPage(path, List.copyOf(blocks));
  }

  /** The index after the code block that begins at a line; the line's own when none does. */
  private static int endOfBlock(List<String> lines, int at) {
    if (lines.get(at).startsWith("```")) {
      int end = at + 1;
      while (!lines.get(end).startsWith("```")) {
        end++;
      }
      return end + 1;
    }
    boolean begins = at == 0 || lines.get(at - 1).isBlank();
    if (!begins || !lines.get(at).startsWith("    ")) {
      return at;
    }
    int end = at;
    for (int next = at; next < lines.size(); next++) {
      if (lines.get(next).startsWith("    ")) {
        end = next + 1;
      } else if (!lines.get(next).isBlank()) {
        break;
      }
    }
    return end;
  }

  private static List<String> text(List<String> lines, int from, int to) {
    if (lines.get(from).startsWith("```")) {
      return lines.subList(from + 1, to - 1);
    }
    return lines.subList(from, to).stream()
        .map(line -> line.length() > 4 ? line.substring(4) : "")
        .toList();
  }

  private static Block.Written written(int line, String file, List<String> text) {
    return new Block.Written(line, Path.of(file), String.join("\n", text) + "\n");
  }

  private static void add(List<Block> blocks, int line, List<String> text, List<Matcher> notes) {
    List<Integer> failing = new ArrayList<>();
    List<Command> first = new ArrayList<>();
    for (Matcher note : notes) {
      switch (note.group(1)) {
        case "file" -> {
          blocks.add(written(line, note.group(2), text));
          return;
        }
        case "not run" -> {
          blocks.add(new Block.LeftOut(line, note.group(2)));
          return;
        }
        case "fails" -> failing.add(Integer.parseInt(note.group(2)));
        default -> first.add(new Command(note.group(2), List.of(), false));
      }
    }
    if (text.stream().anyMatch(each -> COMMAND.matcher(each).matches())) {
      List<Command> commands = commands(text, failing);
      commands.addAll(0, first);
      blocks.add(new Block.Run(line, List.copyOf(commands)));
    }
  }

  private static List<Command> commands(List<String> text, List<Integer> failing) {
    boolean dialogue = text.stream().anyMatch(line -> line.startsWith("$ "));
    List<Command> commands = new ArrayList<>();
    for (int at = 0; at < text.size(); ) {
      String line = text.get(at++);
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      StringBuilder command = new StringBuilder(dialogue ? line.substring(2) : line);
      while (isContinued(command) && at < text.size()) {
        command.append('\n').append(text.get(at++));
      }
      List<String> expected = new ArrayList<>();
      while (dialogue && at < text.size() && !text.get(at).startsWith("$ ")) {
        expected.add(text.get(at++));
      }
      commands.add(
          new Command(
              command.toString(), List.copyOf(expected), failing.contains(commands.size() + 1)));
    }
    return commands;
  }

  /**
   * Whether a shell reads on after these lines: a backslash or a pipe at the end, or an open quote.
   */
  private static boolean isContinued(CharSequence command) {
    String text = command.toString();
    return text.endsWith("\\")
        || text.endsWith("|")
        || text.chars().filter(character -> character == '\'').count() % 2 == 1;
  }
}
