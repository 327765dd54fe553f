package io.orrery.cli.archive;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.Session;
import io.orrery.cli.experiment.ConfigFile;
import io.orrery.core.json.Json;
import io.orrery.core.problem.FileFault;
import io.orrery.core.problem.ProblemException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Implements {@code orrery experiment load}: the flags are NNI's. */
@Command(
    name = "load",
    description = {
      "Put back an experiment that `experiment save` wrote, here or on another machine.",
      "What `nnictl experiment save` of NNI wrote is taken as well."
    })
final class LoadExperiment implements Callable<Integer> {
  private final Session session;

  @Option(
      names = {"--path", "-p"},
      required = true,
      paramLabel = "FILE",
      description = "The zip file.")
  private String path = "";

  @Option(
      names = {"--codeDir", "--code-dir", "-c"},
      paramLabel = "DIR",
      description =
          "Where the trials' code lies here; saved code is put there. Default: where it was.")
  private @Nullable String code;

  @Option(
      names = {"--searchSpacePath", "--search-space", "-s"},
      paramLabel = "FILE",
      description = "A search space instead of the one that was saved.")
  private @Nullable String searchSpace;

  /** Ours are where the server keeps all. */
  @Option(
      names = {"--logDir", "-l"},
      hidden = true)
  @SuppressWarnings("UnusedVariable")
  private @Nullable String logDirectory;

  LoadExperiment(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    Path file = session.terminal().directory().resolve(path);
    try (ZipFile zip = new ZipFile(file.toFile())) {
      String[] lines = Archive.experiment(zip).split("\n", 2);
      ObjectNode head = head(lines[0]);
      ObjectNode config = head.withObjectProperty("config");
      if (searchSpace != null) {
        config.set("searchSpace", ConfigFile.read(searchSpace, session.terminal()).root());
      }
      if (code != null) {
        Path folder = session.terminal().directory().resolve(code).toAbsolutePath().normalize();
        if (Archive.hasCode(zip)) {
          Archive.extractCode(zip, folder);
        } else if (!Files.isDirectory(folder)) {
          throw CommandFailure.refused(code + ": there is no such folder, and no code was saved");
        }
        CodeFolder.move(config, folder);
      }
      JsonNode restored = Restoring.post(session, head + "\n" + (lines.length > 1 ? lines[1] : ""));
      return Restoring.said(session, restored);
    } catch (IOException e) {
      throw CommandFailure.failed(path + ": " + FileFault.words(e));
    }
  }

  private ObjectNode head(String line) {
    try {
      if (Json.parse(line) instanceof ObjectNode head) {
        return head;
      }
    } catch (ProblemException e) {
      // Told below.
    }
    throw CommandFailure.refused(path + " is damaged: its first line describes no experiment");
  }
}
