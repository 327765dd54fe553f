package io.orrery.core.file;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The list of files that a home has had, {@code home.json}, so that a file which is gone with all
 * that lay beside it is not taken for one that is yet to be made. Once there is a list, {@link
 * KeptFile} names each of its files there. A directory without a list is no home, and nothing is
 * missing from it.
 *
 * <p>Thread safe; a home has one process at a time.
 */
public final class HomeList {
  private static final String NAME = "home.json";
  private static final Object LOCK = new Object();

  private final Path home;
  private final Path list;

  public HomeList(Path home) {
    this.home = home;
    this.list = home.resolve(NAME);
  }

  /** The list that a file would be named in; of a file without a directory, the present one's. */
  static HomeList of(Path file) {
    Path directory = file.toAbsolutePath().getParent();
    return new HomeList(directory == null ? file.toAbsolutePath() : directory);
  }

  /** The path of the list, which need not exist yet. */
  public Path file() {
    return list;
  }

  /**
   * The names, relative to the home; none where there is no list.
   *
   * @throws io.orrery.core.problem.ProblemException Conflict when the list itself is missing or is
   *     not what was written
   */
  public Set<String> names() throws IOException {
    synchronized (LOCK) {
      return read();
    }
  }

  private Set<String> read() throws IOException {
    Optional<byte[]> written = KeptFile.read(list);
    Set<String> names = new TreeSet<>();
    if (written.isPresent()) {
      JsonNode json = Json.parse(new String(written.get(), StandardCharsets.UTF_8));
      json.path("files").forEach(name -> names.add(name.asText()));
    }
    return names;
  }

  /** Begins the list, or goes on with it: adds names, and those of all files that have digests. */
  public void note(Collection<String> others) throws IOException {
    synchronized (LOCK) {
      Set<String> names = read();
      boolean more = names.addAll(others);
      try (DirectoryStream<Path> digests = Files.newDirectoryStream(home, "*" + KeptFile.DIGESTS)) {
        for (Path each : digests) {
          String kept = String.valueOf(each.getFileName());
          String name = kept.substring(0, kept.length() - KeptFile.DIGESTS.length());
          more |= !name.equals(NAME) && Files.exists(home.resolve(name)) && names.add(name);
        }
      }
      if (more) {
        write(names);
      }
    }
  }

  /** Whether a file is named; the list does not name itself. */
  boolean has(Path file) throws IOException {
    return isNoList(file) && names().contains(name(file));
  }

  /** Names a file, where there is a list. */
  void add(Path file) throws IOException {
    synchronized (LOCK) {
      if (isNoList(file) && Files.exists(list)) {
        Set<String> names = read();
        if (names.add(name(file))) {
          write(names);
        }
      }
    }
  }

  /** Names a file no more. */
  void remove(Path file) throws IOException {
    synchronized (LOCK) {
      if (isNoList(file) && Files.exists(list)) {
        Set<String> names = read();
        if (names.remove(name(file))) {
          write(names);
        }
      }
    }
  }

  private void write(Set<String> names) throws IOException {
    String text = Json.write(Map.of("files", names));
    KeptFile.write(list, text.getBytes(StandardCharsets.UTF_8));
  }

  private static boolean isNoList(Path file) {
    return !name(file).equals(NAME);
  }

  private static String name(Path file) {
    return String.valueOf(file.getFileName());
  }
}
