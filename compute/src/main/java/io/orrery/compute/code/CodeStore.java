package io.orrery.compute.code;

import io.orrery.compute.attempt.AttemptLayout;
import io.orrery.compute.attempt.FilePiece;
import io.orrery.compute.service.Keepers.Code;
import io.orrery.core.bus.contract.TrialKeepers.Piece;
import io.orrery.core.code.CodeArchive;
import io.orrery.core.code.CodeLimits;
import io.orrery.core.code.CodeTree;
import io.orrery.core.digest.Sha256;
import io.orrery.core.file.DirectoryTree;
import io.orrery.core.file.JsonFile;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store of packed code below the home, each content once:
 *
 * <pre>{@code
 * code/<digest>/code.tar.gz
 * code/<digest>/experiments/<experiment>       an empty file for each experiment that has it
 * experiments/<experiment>/code/<name>.json    what became of one of its directories
 * }</pre>
 *
 * <p>What an experiment got once it keeps, whatever becomes of the directory. Blocks; thread safe.
 */
public final class CodeStore {
  private static final Logger LOG = LoggerFactory.getLogger(CodeStore.class);
  private static final int NAMED_LINKS = 5;

  /** The limits of what a step is sent: as many as of an artifact. */
  private static final CodeLimits WHOLE = new CodeLimits(100_000, 64L << 30);

  private final Path home;
  private final CodeLimits limits;
  private final Object shelves = new Object();

  public CodeStore(Path home, CodeLimits limits) {
    this.home = home.toAbsolutePath().normalize();
    this.limits = limits;
  }

  /** What speaks against shipping a directory; {@code pointer} says who names it. */
  public List<Finding> check(String pointer, Path directory) {
    if (!Files.isDirectory(directory)) {
      return List.of(new Finding(pointer, "there is no directory " + directory));
    }
    try {
      return CodeTree.of(directory).check(pointer, limits);
    } catch (IOException e) {
      return List.of(new Finding(pointer, directory + " cannot be read whole: " + e));
    }
  }

  /**
   * Notices about a directory that is shipped, in full sentences: links that lead out of it, and
   * what is left out.
   */
  public List<String> notices(Path directory) {
    try {
      CodeTree tree = CodeTree.of(directory);
      List<CodeTree.Link> links = tree.leavingLinks();
      List<String> notices = new ArrayList<>();
      String leftOut = tree.leftOut();
      if (leftOut != null) {
        notices.add(leftOut);
      }
      if (!links.isEmpty()) {
        notices.add(
            "Links in %s that lead out of it are shipped as they are, and mean what lies there on the machine of the trial: %s%s."
                .formatted(
                    directory,
                    links.stream()
                        .limit(NAMED_LINKS)
                        .map(link -> link.path() + " -> " + link.target())
                        .collect(Collectors.joining(", ")),
                    links.size() > NAMED_LINKS
                        ? ", and %,d more".formatted(links.size() - NAMED_LINKS)
                        : ""));
      }
      return notices;
    } catch (IOException e) {
      LOG.warn("could not look for links in {}: {}", directory, e.getMessage());
      return List.of();
    }
  }

  /**
   * What an experiment's trials get from a directory: as it was when this was first asked.
   *
   * @throws io.orrery.core.problem.ProblemException Refused when it cannot be shipped; Conflict
   *     when it changed while it was read
   */
  public Code pack(ExperimentId experiment, Path directory) throws IOException {
    Path note = note(experiment, directory);
    Code known = known(note);
    if (known != null) {
      return known;
    }
    List<Finding> findings = check("/trialCodeDirectory", directory);
    if (!findings.isEmpty()) {
      throw Problem.Refused.of(findings).toException();
    }
    CodeTree tree = CodeTree.of(directory);
    String digest = digest(tree);
    Code code = shelve(experiment, tree, digest);
    JsonFile.write(note, code);
    return code;
  }

  /**
   * Packs everything in a directory, without regard to {@code .nniignore}, for an attempt of a step
   * of this owner: its code and its inputs.
   *
   * @throws io.orrery.core.problem.ProblemException Refused when it is too large
   */
  public Code packWhole(ExperimentId owner, Path directory) throws IOException {
    CodeTree tree = CodeTree.whole(directory);
    List<Finding> findings = tree.check("", WHOLE);
    if (!findings.isEmpty()) {
      throw Problem.Refused.of(findings).toException();
    }
    return shelve(owner, tree, digest(tree));
  }

  private Code shelve(ExperimentId experiment, CodeTree tree, String digest) throws IOException {
    Path fresh = null;
    try {
      if (!Files.exists(archive(digest))) {
        fresh = packed(tree, digest);
      }
      synchronized (shelves) {
        if (fresh == null && !Files.exists(archive(digest))) {
          // Its last owner went meanwhile.
          fresh = packed(tree, digest);
        }
        if (fresh != null && !Files.exists(shelf(digest))) {
          Files.move(fresh, shelf(digest), StandardCopyOption.ATOMIC_MOVE);
          fresh = null;
        } else if (fresh != null && !Files.exists(archive(digest))) {
          // The archive alone was removed or cut; the experiments that have it keep their place.
          Files.move(
              fresh.resolve(archive(digest).getFileName()),
              archive(digest),
              StandardCopyOption.ATOMIC_MOVE);
        }
        Path owners = Files.createDirectories(shelf(digest).resolve("experiments"));
        create(owners.resolve(experiment.value()));
      }
      return new Code(digest, Files.size(archive(digest)), tree.entries().size());
    } finally {
      if (fresh != null) {
        DirectoryTree.delete(fresh);
      }
    }
  }

  /** Packs code into a folder that is not visible yet. */
  private Path packed(CodeTree tree, String digest) throws IOException {
    Path fresh = Files.createTempDirectory(Files.createDirectories(home.resolve("code")), "new-");
    Path archive = fresh.resolve("code.tar.gz");
    try (FileOutputStream file = new FileOutputStream(archive.toFile());
        GZIPOutputStream zip = new GZIPOutputStream(file, 1 << 16)) {
      if (!CodeArchive.write(tree, zip).equals(digest)) {
        throw changed(tree, null);
      }
      zip.finish();
      file.getFD().sync();
    } catch (IOException | RuntimeException e) {
      DirectoryTree.delete(fresh);
      throw e;
    }
    return fresh;
  }

  private static String digest(CodeTree tree) {
    try {
      return CodeArchive.digest(tree);
    } catch (IOException e) {
      throw changed(tree, e);
    }
  }

  private static RuntimeException changed(CodeTree tree, @Nullable IOException cause) {
    return new Problem.Conflict(
            tree.root()
                + " changed while it was packed"
                + (cause == null ? "" : " (" + cause.getMessage() + ")")
                + "; try again when nothing writes to it")
        .toException();
  }

  /**
   * A piece of what an experiment's trials get.
   *
   * @param limit most bytes, at most 1,048,576
   * @throws io.orrery.core.problem.ProblemException NotFound when the experiment has no such code
   */
  public Piece read(ExperimentId experiment, String digest, long offset, int limit)
      throws IOException {
    if (!Sha256.isHex(digest)
        || !Files.exists(shelf(digest).resolve("experiments").resolve(experiment.value()))) {
      throw new Problem.NotFound("Experiment " + experiment + " has no code " + digest + ".")
          .toException();
    }
    FilePiece piece = FilePiece.read(archive(digest), offset, limit);
    return new Piece(piece.bytes(), piece.next(), piece.size());
  }

  /** The package of a digest that {@link #pack} has given. */
  public Path file(String digest) {
    return archive(digest);
  }

  /** Releases the code of an experiment; code that no experiment needs is deleted. */
  public void release(ExperimentId experiment) throws IOException {
    for (String digest : shelved()) {
      synchronized (shelves) {
        Path owners = shelf(digest).resolve("experiments");
        if (Files.deleteIfExists(owners.resolve(experiment.value())) && isEmpty(owners)) {
          DirectoryTree.delete(shelf(digest));
        }
      }
    }
    DirectoryTree.delete(notes(experiment));
  }

  private List<String> shelved() throws IOException {
    try (Stream<Path> shelves = Files.list(home.resolve("code"))) {
      return shelves
          .map(shelf -> String.valueOf(shelf.getFileName()))
          .filter(Sha256::isHex)
          .toList();
    } catch (NoSuchFileException none) {
      return List.of();
    }
  }

  private static boolean isEmpty(Path directory) throws IOException {
    try (Stream<Path> children = Files.list(directory)) {
      return children.findAny().isEmpty();
    }
  }

  private Path shelf(String digest) {
    return home.resolve("code").resolve(digest);
  }

  private Path archive(String digest) {
    return shelf(digest).resolve("code.tar.gz");
  }

  private Path notes(ExperimentId experiment) {
    return AttemptLayout.experiment(home, experiment).resolve("code");
  }

  private Path note(ExperimentId experiment, Path directory) {
    byte[] path =
        directory.toAbsolutePath().normalize().toString().getBytes(StandardCharsets.UTF_8);
    return notes(experiment).resolve(UUID.nameUUIDFromBytes(path) + ".json");
  }

  private @Nullable Code known(Path note) throws IOException {
    try {
      Code code = Json.read(Files.readString(note), Code.class);
      Path archive = archive(code.digest());
      if (Files.exists(archive) && Files.size(archive) == code.bytes()) {
        return code;
      }
      LOG.warn(
          "{} is missing or shorter than it was: attempts that start from now on get the code"
              + " directory as it is now",
          archive);
      Files.deleteIfExists(archive);
      return null;
    } catch (NoSuchFileException first) {
      return null;
    }
  }

  private static void create(Path file) throws IOException {
    try {
      Files.createFile(file);
    } catch (FileAlreadyExistsException before) {
      // It has this code from another directory.
    }
  }
}
