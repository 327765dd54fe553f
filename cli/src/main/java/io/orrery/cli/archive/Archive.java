package io.orrery.cli.archive;

import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.print.OutputFile;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.text.Utf8;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Enumeration;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * The zip file of a saved experiment: the API's archive, and the code if it was wanted. One that
 * NNI saved has its database in the archive's place.
 */
final class Archive {
  private static final String EXPERIMENT = "experiment.ndjson";
  private static final String DATABASE = "experiment/db/nni.sqlite";
  private static final String CODE = "code/";

  /** As much as a server takes; a zip file of some kilobytes may hold more than the memory does. */
  private static final int MOST_BYTES = 128 << 20;

  /** Bytes that are unpacked in one go. */
  private static final int PIECE = 64 << 10;

  private Archive() {}

  /** A source of bytes that writes them into the archive. */
  interface Source {
    void to(OutputStream out) throws IOException;
  }

  /** Whole or not at all, where it is a plain file. */
  static void write(Path file, Source experiment, @Nullable Path code) throws IOException {
    OutputFile.write(
        file,
        out -> {
          ZipOutputStream zip = new ZipOutputStream(out);
          zip.putNextEntry(new ZipEntry(EXPERIMENT));
          experiment.to(zip);
          zip.closeEntry();
          if (code != null) {
            add(zip, code);
          }
          zip.finish();
        });
  }

  /** Links are left out: they may lead anywhere. */
  private static void add(ZipOutputStream zip, Path code) throws IOException {
    Files.walkFileTree(
        code,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            if (attributes.isRegularFile()) {
              zip.putNextEntry(new ZipEntry(CODE + code.relativize(file)));
              Files.copy(file, zip);
              zip.closeEntry();
            }
            return FileVisitResult.CONTINUE;
          }
        });
  }

  /** The lines of the experiment. */
  static String experiment(ZipFile zip) throws IOException {
    ZipEntry entry = zip.getEntry(EXPERIMENT);
    if (entry != null) {
      byte[] lines = zip.getInputStream(entry).readNBytes(MOST_BYTES + 1);
      if (lines.length > MOST_BYTES) {
        throw CommandFailure.refused(
            "%s holds an experiment of more than %d MB, which no server takes"
                .formatted(zip.getName(), MOST_BYTES >> 20));
      }
      try {
        return Utf8.decode(lines);
      } catch (ProblemException e) {
        throw CommandFailure.refused(
            zip.getName() + ": " + EXPERIMENT + ": " + e.problem().detail());
      }
    }
    ZipEntry database = zip.getEntry(DATABASE);
    if (database == null) {
      throw CommandFailure.refused(
          zip.getName() + " is no experiment that `experiment save` wrote, ours or NNI's");
    }
    for (String beside : List.of("-wal", "-journal")) {
      ZipEntry rest = zip.getEntry(DATABASE + beside);
      if (rest != null && rest.getSize() != 0) {
        throw CommandFailure.refused(
            zip.getName()
                + " was saved while NNI wrote to its database; stop the experiment and save it"
                + " again");
      }
    }
    Path file = Files.createTempFile("nni", ".sqlite");
    try {
      checkRoom(zip, file, size(zip, database));
      unpack(zip, database, file, StandardOpenOption.TRUNCATE_EXISTING);
      return new NniDatabase(file).archive(null);
    } finally {
      Files.deleteIfExists(file);
    }
  }

  static boolean hasCode(ZipFile zip) {
    return zip.stream().anyMatch(entry -> entry.getName().startsWith(CODE));
  }

  /**
   * Puts the code into a folder, which is made; nothing that is there is replaced.
   *
   * @throws CommandFailure refused, before anything is written, when an entry leads out of it or
   *     the disk has no room for them all; and when one turns out to be longer than it says
   */
  static void extractCode(ZipFile zip, Path folder) throws IOException {
    Path root = folder.toAbsolutePath().normalize();
    long bytes = 0;
    for (Enumeration<? extends ZipEntry> all = zip.entries(); all.hasMoreElements(); ) {
      ZipEntry entry = all.nextElement();
      target(entry, root);
      if (isCode(entry)) {
        // What some say is so much that it cannot be added up.
        bytes += Math.min(size(zip, entry), Long.MAX_VALUE - bytes);
      }
    }
    Files.createDirectories(root);
    checkRoom(zip, root, bytes);
    for (Enumeration<? extends ZipEntry> all = zip.entries(); all.hasMoreElements(); ) {
      ZipEntry entry = all.nextElement();
      if (isCode(entry)) {
        Path file = target(entry, root);
        Files.createDirectories(file.getParent());
        unpack(zip, entry, file, StandardOpenOption.CREATE_NEW);
      }
    }
  }

  private static boolean isCode(ZipEntry entry) {
    return entry.getName().startsWith(CODE) && !entry.isDirectory();
  }

  /** A zip file of some kilobytes may say that it holds more than there is. */
  private static void checkRoom(ZipFile zip, Path place, long bytes) throws IOException {
    long room = Files.getFileStore(place).getUsableSpace();
    if (bytes > room) {
      throw CommandFailure.refused(
          "%s holds %,d MB, and there is room for %,d MB at %s"
              .formatted(zip.getName(), bytes >> 20, room >> 20, place));
    }
  }

  private static long size(ZipFile zip, ZipEntry entry) {
    if (entry.getSize() < 0) {
      throw damaged(zip, entry);
    }
    return entry.getSize();
  }

  /** Or it may say that it holds little. */
  private static void unpack(ZipFile zip, ZipEntry entry, Path file, StandardOpenOption how)
      throws IOException {
    try (InputStream in = zip.getInputStream(entry);
        OutputStream out = Files.newOutputStream(file, StandardOpenOption.WRITE, how)) {
      byte[] some = new byte[PIECE];
      long left = entry.getSize();
      for (int read = in.read(some); read >= 0; read = in.read(some)) {
        left -= read;
        if (left < 0) {
          throw damaged(zip, entry);
        }
        out.write(some, 0, read);
      }
    }
  }

  private static CommandFailure damaged(ZipFile zip, ZipEntry entry) {
    return CommandFailure.refused(
        "%s is damaged: '%s' is longer than it says".formatted(zip.getName(), entry.getName()));
  }

  private static Path target(ZipEntry entry, Path root) {
    String name = entry.getName();
    Path target = root.resolve(name.startsWith(CODE) ? name.substring(CODE.length()) : "x");
    if (!target.normalize().startsWith(root)) {
      throw CommandFailure.refused("'" + name + "' would be written outside of " + root);
    }
    return target.normalize();
  }
}
