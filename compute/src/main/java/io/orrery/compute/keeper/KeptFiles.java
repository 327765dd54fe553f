package io.orrery.compute.keeper;

import io.orrery.compute.attempt.AttemptLayout;
import io.orrery.compute.attempt.FilePiece;
import io.orrery.compute.attempt.ParameterFile;
import io.orrery.compute.keeper.Allowances.Allowance;
import io.orrery.core.bus.contract.TrialKeepers.FileList;
import io.orrery.core.bus.contract.TrialKeepers.Folder;
import io.orrery.core.bus.contract.TrialKeepers.FolderEntry;
import io.orrery.core.bus.contract.TrialKeepers.StoredFile;
import io.orrery.core.bus.contract.Trials.Stream;
import io.orrery.core.file.ConfinedDirectory;
import io.orrery.core.file.ConfinedFile;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.TrialRef;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.trial.ParameterSet;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The files of one attempt whose keepers are elsewhere, in NNI's layout:
 *
 * <pre>{@code
 * parameter.cfg  stdout  stderr  trial.log  output/…       of the primary keeper
 * roles/<keeper>/stdout …                                  of each other one
 * .nni/incoming/<keeper>/…                                 outputs that are not there whole yet
 * .nni/canceled  .nni/keepers/…                            the register
 * }</pre>
 *
 * @param directory of the attempt
 */
record KeptFiles(Path directory) {
  /** Bytes of one stream; what goes beyond is not taken, as with local trials. */
  static final long MOST_LOG = 1L << 30;

  /** Bytes of one file that a trial leaves. */
  static final long MOST_OUTPUT = 16L << 30;

  private static final int MOST_LISTED = 10_000;
  private static final int LONGEST_PATH = 1_024;
  private static final Pattern LATER = Pattern.compile("attempt-([1-9][0-9]{0,8})");

  static KeptFiles of(Path home, AttemptRef attempt) {
    return new KeptFiles(AttemptLayout.attempt(home, attempt));
  }

  /** The attempt of this number; of null, the last one that has files. */
  static KeptFiles of(Path home, TrialRef trial, @Nullable Integer number) throws IOException {
    if (number != null) {
      return of(home, new AttemptRef(trial, number));
    }
    KeptFiles first = of(home, new AttemptRef(trial, 1));
    int last = 1;
    if (first.exists()) {
      try (java.util.stream.Stream<Path> children = Files.list(first.directory)) {
        last =
            children
                .map(child -> LATER.matcher(String.valueOf(child.getFileName())))
                .filter(Matcher::matches)
                .mapToInt(name -> Integer.parseInt(name.group(1)))
                .max()
                .orElse(1);
      }
    }
    return of(home, new AttemptRef(trial, last));
  }

  boolean exists() {
    return Files.isDirectory(directory);
  }

  /** Which keepers have come. */
  KeeperRegistry register() {
    return new KeeperRegistry(directory.resolve(".nni"));
  }

  Path parameters() {
    return directory.resolve("parameter.cfg");
  }

  /** Makes the directory; false when it is there. */
  boolean make() throws IOException {
    File place = directory.toFile();
    // Asked so, a parent that is missing costs no exception, and as a rule none is.
    if (place.mkdir()) {
      return true;
    }
    if (place.isDirectory()) {
      return false;
    }
    Files.createDirectories(directory.getParent());
    return place.mkdir();
  }

  /** Writes what the trial finds as its parameters; makes the directory where it is missing. */
  void write(ParameterSet parameters) throws IOException {
    try {
      ParameterFile.write(parameters(), parameters);
    } catch (NoSuchFileException missing) {
      Files.createDirectories(directory);
      ParameterFile.write(parameters(), parameters);
    }
  }

  /**
   * Whether the parameters are there; a machine that lost its power may have left the file empty.
   */
  boolean hasParameters() {
    return parameters().toFile().length() > 0;
  }

  /** Appends to a stream; the offset that is wanted next. */
  long append(
      String keeper, boolean primary, Stream stream, long offset, byte[] bytes, Allowance allowance)
      throws IOException {
    Path file = place(keeper, primary).resolve(AttemptLayout.file(stream));
    long size = length(file);
    if (offset > size) {
      return size;
    }
    long next = Math.max(size, offset + bytes.length);
    if (next > MOST_LOG) {
      throw new Problem.TooLarge("No more than %,d bytes of this are kept.".formatted(MOST_LOG))
          .toException();
    }
    AttemptUsage more = AttemptUsage.log(next - size, missing(file));
    allowance.check(more);
    write(file, offset, bytes);
    allowance.add(more);
    return next;
  }

  /** Appends a line to a stream of the attempt, unless there is too much of it. */
  void append(Stream stream, String line, Allowance allowance) throws IOException {
    Path file = directory.resolve(AttemptLayout.file(stream));
    long size = length(file);
    if (size < MOST_LOG) {
      byte[] bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
      AttemptUsage more = AttemptUsage.log(bytes.length, missing(file));
      allowance.check(more);
      write(file, size, bytes);
      allowance.add(more);
    }
  }

  /**
   * Appends to a file that the trial left; with its last bytes it appears among the outputs. One
   * that could not become whole is refused with its first bytes.
   */
  long append(
      String keeper,
      boolean primary,
      String path,
      long offset,
      long size,
      byte[] bytes,
      Allowance allowance)
      throws IOException {
    Path relative = checked(path);
    if (size < 0 || size > MOST_OUTPUT || offset + bytes.length > size) {
      throw new Problem.TooLarge(
              "A file of a trial has at most %,d bytes, and none beyond its size."
                  .formatted(MOST_OUTPUT))
          .toException();
    }
    Path whole = place(keeper, primary).resolve("output").resolve(relative);
    Path incoming = directory.resolve(".nni").resolve("incoming").resolve(keeper).resolve(relative);
    if (Files.exists(whole) && !Files.exists(incoming) && offset > 0) {
      // The answer to its last bytes was lost.
      return Files.size(whole);
    }
    long there = length(incoming);
    if (offset > there) {
      return there;
    }
    int missing = missing(incoming);
    // One that comes at once may be there already, and then takes its own place.
    boolean atOnce = bytes.length == size;
    allowance.check(
        AttemptUsage.output(
            size - there - (atOnce ? length(whole) : 0),
            missing + missing(whole) - (atOnce ? 1 : 0)));
    if (offset == 0) {
      // What an earlier try left may be longer.
      Files.deleteIfExists(incoming);
    }
    write(incoming, offset, bytes);
    long next = length(incoming);
    allowance.add(AttemptUsage.output(next - there, missing));
    if (next == size) {
      AttemptUsage moved = AttemptUsage.output(-length(whole), missing(whole) - 1);
      Files.createDirectories(whole.getParent());
      Files.move(
          incoming, whole, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      allowance.add(moved);
    }
    return next;
  }

  /** A repetition writes the same bytes to the same place. */
  private static void write(Path file, long offset, byte[] bytes) throws IOException {
    Files.createDirectories(file.getParent());
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
      ByteBuffer piece = ByteBuffer.wrap(bytes);
      while (piece.hasRemaining()) {
        channel.write(piece, offset + piece.position());
      }
    }
  }

  private static long length(Path file) {
    return file.toFile().length();
  }

  /** How many files and directories must be made for what a keeper brings. */
  private int missing(Path file) {
    int count = 0;
    Path at = file;
    while (at != null && !isOfLayout(at) && !Files.exists(at)) {
      count++;
      at = at.getParent();
    }
    return count;
  }

  /** All files that people may see, by path. */
  FileList list() throws IOException {
    List<StoredFile> files = new ArrayList<>();
    boolean[] more = {false};
    Files.walkFileTree(
        directory,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path child, BasicFileAttributes is) {
            String name = String.valueOf(child.getFileName());
            boolean ours = child.equals(directory);
            boolean hidden =
                isLaterAttempt(child)
                    || (directory.equals(child.getParent()) && name.equals(".nni"));
            return !ours && hidden ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes is) {
            if (files.size() == MOST_LISTED) {
              more[0] = true;
              return FileVisitResult.TERMINATE;
            }
            if (is.isRegularFile()) {
              files.add(new StoredFile(directory.relativize(file).toString(), is.size()));
            }
            return FileVisitResult.CONTINUE;
          }
        });
    files.sort(Comparator.comparing(StoredFile::path));
    return new FileList(files, more[0]);
  }

  /**
   * The files and directories in one of the directories, by name; links and what is no plain file
   * are left out.
   *
   * @param path empty for the attempt's own
   * @param after the name after which the page begins; null for the first one
   * @throws io.orrery.core.problem.ProblemException NotFound when it is no directory
   */
  Folder folder(String path, @Nullable String after, int limit) throws IOException {
    Path relative = path.isEmpty() ? Path.of("") : checked(path);
    if (isHidden(relative)) {
      throw notLeft(path, "");
    }
    try (ConfinedDirectory open = ConfinedDirectory.open(directory, relative)) {
      List<String> names = open.names(after, limit + 1, name -> !isHidden(relative.resolve(name)));
      List<FolderEntry> entries = new ArrayList<>();
      List<String> page = names.subList(0, Math.min(limit, names.size()));
      for (String name : page) {
        try {
          BasicFileAttributes is = open.attributes(name);
          if (is.isRegularFile() || is.isDirectory()) {
            entries.add(new FolderEntry(name, is.isDirectory(), is.isDirectory() ? 0 : is.size()));
          }
        } catch (NoSuchFileException gone) {
          // It went while it was listed.
        }
      }
      return new Folder(entries, names.size() > limit ? page.getLast() : null);
    } catch (NoSuchFileException | ConfinedFile.Unfit none) {
      throw notLeft(path, "");
    }
  }

  /** Whether a path below the directory is the register's or another attempt's. */
  private static boolean isHidden(Path relative) {
    return relative.startsWith(".nni") || LATER.matcher(relative.getName(0).toString()).matches();
  }

  /**
   * Reads a piece of one of the listed files; the local platform's trials write here themselves,
   * links among it.
   *
   * @throws io.orrery.core.problem.ProblemException NotFound when it is none
   */
  FilePiece read(String path, long offset, int limit) throws IOException {
    Path relative = checked(path);
    if (isHidden(relative)) {
      throw notLeft(path, "");
    }
    try {
      return FilePiece.readConfined(directory, directory.resolve(relative), offset, limit);
    } catch (NoSuchFileException missing) {
      throw notLeft(path, "");
    } catch (ConfinedFile.Unfit unfit) {
      throw notLeft(path, " that can be shown: " + unfit.getReason());
    }
  }

  private static RuntimeException notLeft(String path, String why) {
    return new Problem.NotFound("The trial has left no file '" + path + "'" + why + ".")
        .toException();
  }

  /** A path that leads down and nowhere else. */
  private static Path checked(String path) {
    boolean fits = !path.isEmpty() && path.length() <= LONGEST_PATH && path.indexOf('\0') < 0;
    for (String name : path.split("/", -1)) {
      fits &= !name.isEmpty() && !name.equals(".") && !name.equals("..");
    }
    if (!fits) {
      throw new Problem.Refused(
              new Finding(
                  "/path",
                  "a path is names with / between, none of them empty or dots, and has at most"
                      + " 1,024 characters"))
          .toException();
    }
    return Path.of(path);
  }

  private Path place(String keeper, boolean primary) {
    return primary ? directory : directory.resolve("roles").resolve(keeper);
  }

  /** Whether that is a directory that is there whatever keepers bring. */
  boolean isOfLayout(@Nullable Path child) {
    return directory.equals(child)
        || directory.resolve(".nni").equals(child)
        || register().keepers().equals(child);
  }

  /** Whether that is the directory of another attempt. */
  boolean isLaterAttempt(Path child) {
    return directory.equals(child.getParent())
        && LATER.matcher(String.valueOf(child.getFileName())).matches();
  }
}
