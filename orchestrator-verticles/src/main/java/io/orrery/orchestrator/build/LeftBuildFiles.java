package io.orrery.orchestrator.build;

import io.orrery.core.bus.contract.Builds.ImageBuild;
import io.orrery.core.file.DirectoryTree;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directories of starts of builds below a root, of which those of deleted builds are removed.
 * Blocks.
 */
record LeftBuildFiles(Path root) {
  private static final Logger LOG = LoggerFactory.getLogger(LeftBuildFiles.class);
  private static final Pattern START = Pattern.compile("(.+)-(\\d{1,9})");

  /** A directory of one start of a build. */
  record Start(String project, String name, int number, Path directory) {}

  /** The directories that are there now. */
  List<Start> starts() throws IOException {
    List<Start> starts = new ArrayList<>();
    for (Path project : children(root)) {
      for (Path each : children(project.resolve("builds"))) {
        Matcher name = START.matcher(each.getFileName().toString());
        if (name.matches()) {
          starts.add(
              new Start(
                  project.getFileName().toString(),
                  name.group(1),
                  Integer.parseInt(name.group(2)),
                  each));
        }
      }
    }
    return starts;
  }

  private static List<Path> children(Path directory) throws IOException {
    List<Path> children = new ArrayList<>();
    if (Files.isDirectory(directory)) {
      try (DirectoryStream<Path> all = Files.newDirectoryStream(directory, Files::isDirectory)) {
        all.forEach(children::add);
      } catch (DirectoryIteratorException e) {
        throw e.getCause();
      }
    }
    return children;
  }

  /**
   * Removes the directories of which there is no build any more.
   *
   * @param starts found before the builds were asked for, so that none of a later build is among
   *     them
   * @param builds all that there are
   * @param isKept whether a directory is still in use
   */
  static void remove(List<Start> starts, List<ImageBuild> builds, Predicate<Start> isKept) {
    Set<String> known =
        builds.stream()
            .map(build -> build.project() + "/" + build.name())
            .collect(Collectors.toSet());
    for (Start start : starts) {
      if (!known.contains(start.project() + "/" + start.name()) && !isKept.test(start)) {
        try {
          DirectoryTree.delete(start.directory());
        } catch (IOException e) {
          LOG.warn(
              "could not delete the files of the deleted build {}: {}",
              start.name(),
              e.getMessage());
        }
      }
    }
  }
}
