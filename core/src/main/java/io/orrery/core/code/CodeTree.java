package io.orrery.core.code;

import io.orrery.core.file.FileKind;
import io.orrery.core.problem.Finding;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The part of a code directory that is shipped: all but what {@code .nniignore} names, in an order
 * that depends on the names alone. Sockets, FIFOs and devices stay behind.
 *
 * @param entries the first {@value #MOST}
 * @param unnamed paths whose names are not UTF-8, with their bytes as percent signs and digits
 * @param special what stays behind because it is no file, directory or link
 */
public record CodeTree(
    Path root, List<Entry> entries, List<String> unnamed, List<Special> special) {
  /** The most entries that are counted. */
  private static final int MOST = 200_000;

  private static final int OFFENDERS = 5;

  /**
   * An entry of a directory.
   *
   * @param path below the root, with {@code /} between names
   */
  public sealed interface Entry {
    String path();
  }

  public record Directory(String path) implements Entry {}

  public record RegularFile(String path, long bytes, boolean executable) implements Entry {}

  public record Link(String path, String target) implements Entry {}

  /**
   * A socket, FIFO or device.
   *
   * @param kind with its article
   */
  public record Special(String path, String kind) {}

  /** The lists that a walk fills. */
  private record Found(List<Entry> entries, List<String> unnamed, List<Special> special) {}

  /**
   * Looks through a directory.
   *
   * @throws IOException with a message for users when a part of it cannot be read
   */
  public static CodeTree of(Path root) throws IOException {
    return of(root, true);
  }

  /**
   * Looks through a directory of results, in which {@code .nniignore} is a file as any other.
   *
   * @throws IOException with a message for users when a part of it cannot be read
   */
  public static CodeTree whole(Path root) throws IOException {
    return of(root, false);
  }

  private static CodeTree of(Path root, boolean ignoring) throws IOException {
    Found found = new Found(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    walk(root, "", null, ignoring, found);
    return new CodeTree(root, found.entries(), found.unnamed(), found.special());
  }

  private static void walk(
      Path directory, String base, @Nullable IgnoreFile above, boolean ignoring, Found found)
      throws IOException {
    List<Entry> into = found.entries();
    IgnoreFile ignored = ignoring ? IgnoreFile.in(directory, base, above) : null;
    List<Path> children = new ArrayList<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
      stream.forEach(children::add);
    }
    children.sort(Comparator.comparing(child -> String.valueOf(child.getFileName())));
    for (Path child : children) {
      String path = base + child.getFileName();
      BasicFileAttributes is =
          Files.readAttributes(child, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      if (into.size() >= MOST || (ignored != null && ignored.ignores(path, is.isDirectory()))) {
        continue;
      }
      if (!isText(directory, child)) {
        found.unnamed().add(base + bytes(child));
      } else if (is.isDirectory()) {
        into.add(new Directory(path));
        walk(child, path + "/", ignored, ignoring, found);
      } else if (is.isSymbolicLink()) {
        into.add(new Link(path, Files.readSymbolicLink(child).toString()));
      } else if (is.isRegularFile()) {
        into.add(new RegularFile(path, is.size(), Files.isExecutable(child)));
      } else {
        found.special().add(new Special(path, FileKind.of(child)));
      }
    }
  }

  /** Whether the name means the same file when it is read as text and written again. */
  private static boolean isText(Path directory, Path child) {
    try {
      return directory.resolve(String.valueOf(child.getFileName())).equals(child);
    } catch (InvalidPathException e) {
      return false;
    }
  }

  /** A name as an address has it: what is not ASCII as {@code %E9}. */
  private static String bytes(Path child) {
    String address = child.toUri().getRawPath();
    String whole = address.endsWith("/") ? address.substring(0, address.length() - 1) : address;
    return whole.substring(whole.lastIndexOf('/') + 1);
  }

  /** The size of all files together. */
  public long bytes() {
    return files().stream().mapToLong(RegularFile::bytes).sum();
  }

  /** Findings that speak against shipping it; empty when nothing does. */
  public List<Finding> check(String pointer, CodeLimits limits) {
    List<Finding> findings = new ArrayList<>();
    if (entries.size() > limits.entries()) {
      findings.add(
          new Finding(
              pointer,
              "%s has %s files and directories to ship, and %,d are allowed; most are in %s. %s"
                  .formatted(
                      root,
                      entries.size() >= MOST
                          ? "more than %,d".formatted(MOST)
                          : "%,d".formatted(entries.size()),
                      limits.entries(),
                      fullest(),
                      advice())));
    }
    if (bytes() > limits.bytes()) {
      findings.add(
          new Finding(
              pointer,
              "%s has %s to ship, and %s are allowed; the largest are %s. %s"
                  .formatted(root, size(bytes()), size(limits.bytes()), largest(), advice())));
    }
    if (!unnamed.isEmpty()) {
      findings.add(
          new Finding(
              pointer,
              "%s has %s whose names are not UTF-8, which trials elsewhere cannot be given: %s (bytes as %%XX). Rename them. %s"
                  .formatted(
                      root,
                      unnamed.size() == 1 ? "a file" : "%,d files".formatted(unnamed.size()),
                      String.join(", ", unnamed.subList(0, Math.min(OFFENDERS, unnamed.size()))),
                      advice())));
    }
    return findings;
  }

  /** A sentence about what stays behind, which names the first of it; null when nothing does. */
  public @Nullable String leftOut() {
    return special.isEmpty()
        ? null
        : "Left out of %s, as only files, directories and links are sent: %s%s."
            .formatted(
                root,
                special.stream()
                    .limit(OFFENDERS)
                    .map(each -> each.path() + " (" + each.kind() + ")")
                    .collect(Collectors.joining(", ")),
                special.size() > OFFENDERS
                    ? ", and %,d more".formatted(special.size() - OFFENDERS)
                    : "");
  }

  /** Links that lead out of it: they are shipped, and mean what lies there where the trial runs. */
  public List<Link> leavingLinks() {
    return entries.stream()
        .filter(Link.class::isInstance)
        .map(Link.class::cast)
        .filter(CodeTree::leaves)
        .toList();
  }

  private static String advice() {
    return "What trials do not need can be listed in " + IgnoreFile.NAME + ".";
  }

  /** Looks at every step: one that goes out and comes back in means another place elsewhere. */
  private static boolean leaves(Link link) {
    Path target = Path.of(link.target());
    if (target.isAbsolute()) {
      return true;
    }
    int depth = Path.of(link.path()).getNameCount() - 1;
    for (Path step : target) {
      depth += step.toString().equals("..") ? -1 : step.toString().equals(".") ? 0 : 1;
      if (depth < 0) {
        return true;
      }
    }
    return false;
  }

  private List<RegularFile> files() {
    return entries.stream()
        .filter(RegularFile.class::isInstance)
        .map(RegularFile.class::cast)
        .toList();
  }

  private String largest() {
    return files().stream()
        .sorted(Comparator.comparingLong(RegularFile::bytes).reversed())
        .limit(OFFENDERS)
        .map(file -> file.path() + " (" + size(file.bytes()) + ")")
        .collect(Collectors.joining(", "));
  }

  /** The directories at the top with the most below them, each as far down as nearly all of it. */
  private String fullest() {
    Map<String, Integer> below = new LinkedHashMap<>();
    for (Entry entry : entries) {
      for (int slash = entry.path().indexOf('/'); slash >= 0; ) {
        below.merge(entry.path().substring(0, slash), 1, Integer::sum);
        slash = entry.path().indexOf('/', slash + 1);
      }
    }
    return below.keySet().stream()
        .filter(directory -> directory.indexOf('/') < 0)
        .map(directory -> narrowed(directory, below))
        .sorted(Comparator.<String>comparingInt(below::get).reversed())
        .limit(OFFENDERS)
        .map(each -> "%s (%,d)".formatted(each, below.get(each)))
        .collect(
            Collectors.collectingAndThen(
                Collectors.joining(", "),
                named -> named.isEmpty() ? "the directory itself" : named));
  }

  private static String narrowed(String directory, Map<String, Integer> below) {
    String at = directory;
    for (Map.Entry<String, Integer> other : below.entrySet()) {
      boolean child =
          other.getKey().startsWith(at + "/") && other.getKey().indexOf('/', at.length() + 1) < 0;
      if (child && other.getValue() > 0.8 * below.getOrDefault(at, 0)) {
        at = other.getKey();
      }
    }
    return at;
  }

  private static String size(long bytes) {
    return bytes < 1 << 20
        ? String.format(Locale.ROOT, "%,d KB", (bytes + 1023) >> 10)
        : String.format(Locale.ROOT, "%,d MB", (bytes + (1 << 20) - 1) >> 20);
  }
}
