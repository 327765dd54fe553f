package io.orrery.cli.files;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import io.orrery.cli.print.OutputFile;
import io.orrery.cli.print.Table;
import io.orrery.cli.print.Table.Column;
import io.orrery.cli.print.Words;
import io.orrery.core.file.FileKind;
import io.orrery.core.problem.FileFault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The verbs about one's own files on the server: {@code orrery files}. */
@Command(
    name = "files",
    description = {
      "List, fetch and send files of your directory on the server, /mnt/<you>,",
      "or of a notebook of yours that runs in a pod (--notebook)."
    },
    synopsisSubcommandLabel = "VERB",
    commandListHeading = "Verbs:%n")
public final class FilesCommand {
  private static final String DIRECTORY = "directory";

  private final Session session;

  public FilesCommand(Session session) {
    this.session = session;
  }

  @Command(name = "ls", description = "List a directory, with how much room is left.")
  int ls(
      @Parameters(
              arity = "0..1",
              paramLabel = "PATH",
              description = "Such as data or /mnt/ann/data. Default: your directory.")
          @Nullable String path,
      @Mixin FilePlaceOption place) {
    Resource directory = at(place, path == null ? "" : path).resource();
    if (path != null && !isDirectory(directory)) {
      throw CommandFailure.refused(path + " is no directory: orrery files get " + path);
    }
    List<JsonNode> entries = session.api().list(directory, null);
    if (session.json()) {
      session.print(entries);
      return 0;
    }
    Table table = new Table(Column.text("NAME"), Column.number("BYTES"), Column.text("CHANGED"));
    entries.forEach(entry ->
        table.row(
            entry.path("name").asText() + mark(entry.path("kind").asText()),
            entry.path("kind").asText().equals("file")
                ? Words.bytes(entry.path("bytes").asLong())
                : "",
            entry.path("changedAt").asText()));
    table.print(session.terminal());
    if (path == null && place.isServer()) {
      JsonNode root = session.api().get(directory.with("limit", 1));
      session
          .terminal()
          .say(
              "%s of %s used"
                  .formatted(
                      Words.bytes(root.path("usedBytes").asLong()),
                      Words.bytes(root.path("quotaBytes").asLong())));
    }
    return 0;
  }

  private static String mark(String kind) {
    return switch (kind) {
      case DIRECTORY -> "/";
      case "link" -> "@";
      case "other" -> "?";
      default -> "";
    };
  }

  @Command(name = "get", description = "Fetch a file, or a directory with all below it.")
  int get(
      @Parameters(paramLabel = "PATH", description = "On the server.") String path,
      @Parameters(
              arity = "0..1",
              paramLabel = "TO",
              description = "Here; - for stdout. Default: the same name in this directory.")
          @Nullable String to,
      @Mixin FilePlaceOption place) {
    RemoteFile source = at(place, path);
    JsonNode entry = session.api().get(source.resource().with("stat", true));
    try {
      if ("-".equals(to)) {
        session.api().copy(source.resource(), session.terminal().out());
        return 0;
      }
      String name = entry.path("name").asText();
      String target = to == null ? (name.isEmpty() ? "files" : name) : to;
      Path file = session.terminal().directory().resolve(target);
      if (to != null && Files.isDirectory(file) && !isDirectory(entry)) {
        file = file.resolve(name);
      }
      fetch(source, entry, file);
      return 0;
    } catch (IOException e) {
      throw CommandFailure.failed("could not fetch %s: %s".formatted(path, FileFault.words(e)));
    }
  }

  private void fetch(RemoteFile source, JsonNode entry, Path target) throws IOException {
    switch (entry.path("kind").asText()) {
      case DIRECTORY -> {
        Files.createDirectories(target);
        for (JsonNode below : session.api().list(source.resource(), null)) {
          String name = below.path("name").asText();
          if (name.contains("/") || name.equals("..") || name.equals(".")) {
            throw new IOException("the server names '" + name + "'");
          }
          fetch(source.below(name), below, target.resolve(name));
        }
      }
      case "file" -> {
        TransferProgress progress =
            new TransferProgress(
                session.terminal(), entry.path("name").asText(), entry.path("bytes").asLong());
        try {
          OutputFile.write(
              target, out -> session.api().copy(source.resource(), progress.counting(out)));
        } finally {
          progress.end();
        }
      }
      default ->
          session
              .terminal()
              .say("left out " + entry.path("name").asText() + ": it is no plain file");
    }
  }

  @Command(name = "put", description = "Send a file, or a directory with all below it.")
  int put(
      @Parameters(paramLabel = "FILE", description = "Here.") String file,
      @Parameters(
              arity = "0..1",
              paramLabel = "PATH",
              description = "On the server. Default: the same name in your directory.")
          @Nullable String path,
      @Mixin FilePlaceOption place) {
    Path source = session.terminal().directory().resolve(file).normalize();
    if (!Files.exists(source)) {
      throw CommandFailure.refused("there is no file or directory " + file);
    }
    requireContent(source, file);
    String name = String.valueOf(source.getFileName());
    String target = path == null ? name : path.endsWith("/") ? path + name : path;
    try {
      send(source, at(place, target));
      return 0;
    } catch (IOException e) {
      throw CommandFailure.failed("could not send %s: %s".formatted(file, FileFault.words(e)));
    }
  }

  /** Refuses what would be waited for without an end. */
  private static void requireContent(Path source, String file) {
    try {
      String kind = FileKind.otherThanFile(source);
      if (kind != null && !Files.isDirectory(source)) {
        throw CommandFailure.refused(
            "could not send %s: it is %s, not a file or directory".formatted(file, kind));
      }
    } catch (IOException e) {
      throw CommandFailure.failed("could not send %s: %s".formatted(file, FileFault.words(e)));
    }
  }

  private void send(Path source, RemoteFile target) throws IOException {
    if (Files.isDirectory(source)) {
      session.api().put(target.resource().with("kind", DIRECTORY));
      try (Stream<Path> below = Files.list(source)) {
        for (Path each : below.sorted().toList()) {
          if (Files.isSymbolicLink(each)
              || !(Files.isRegularFile(each, LinkOption.NOFOLLOW_LINKS)
                  || Files.isDirectory(each, LinkOption.NOFOLLOW_LINKS))) {
            session.terminal().say("left out %s: it is %s".formatted(each, FileKind.of(each)));
          } else {
            send(each, target.below(each.getFileName().toString()));
          }
        }
      }
      return;
    }
    long size = Files.size(source);
    TransferProgress progress =
        new TransferProgress(session.terminal(), String.valueOf(source.getFileName()), size);
    try {
      session.api().upload(target.resource(), source, size, progress::counting);
    } finally {
      progress.end();
    }
  }

  @Command(name = "mkdir", description = "Make a directory, and those on the way to it.")
  int mkdir(
      @Parameters(paramLabel = "PATH", description = "On the server.") String path,
      @Mixin FilePlaceOption place) {
    session.api().put(at(place, path).resource().with("kind", DIRECTORY));
    return 0;
  }

  @Command(name = "mv", description = "Rename a file or directory.")
  int mv(
      @Parameters(paramLabel = "FROM", description = "On the server.") String from,
      @Parameters(paramLabel = "TO", description = "On the server: the whole new path.") String to,
      @Option(names = "--replace", description = "Replace the file that has the name.")
          boolean replaces,
      @Mixin FilePlaceOption place) {
    session
        .api()
        .post(
            at(place, from).resource(),
            JsonNodeFactory.instance.objectNode().put("to", to).put("replace", replaces).toString(),
            "application/json");
    return 0;
  }

  @Command(name = "rm", description = "Delete a file or an empty directory.")
  int rm(
      @Parameters(paramLabel = "PATH", description = "On the server.") String path,
      @Option(
              names = {"-r", "--recursive"},
              description = "Also a directory with all below it.")
          boolean recursive,
      @Mixin FilePlaceOption place) {
    session
        .api()
        .delete(at(place, path).resource().with("recursive", recursive ? Boolean.TRUE : null));
    return 0;
  }

  private boolean isDirectory(Resource resource) {
    return isDirectory(session.api().get(resource.with("stat", true)));
  }

  private static boolean isDirectory(JsonNode entry) {
    return entry.path("kind").asText().equals(DIRECTORY);
  }

  private RemoteFile at(FilePlaceOption place, String path) {
    return place.at(session.api().get(Resource.of("me")).path("user").asText(), path);
  }
}
