package io.orrery.core.artifact;

/** The rule for paths of artifacts, which are names with {@code /} between them. */
public final class ArtifactPath {
  /** The most characters of a path. */
  public static final int MOST_CHARACTERS = 1_000;

  /** The rule in words. */
  public static final String RULE =
      "names with '/' between them, at most 1,000 characters, no name empty, '.' or '..', neither"
          + " '\\' nor control characters";

  private ArtifactPath() {}

  /** Whether a text is the path of a file or directory below a tree. */
  public static boolean valid(String path) {
    if (path.isEmpty() || path.length() > MOST_CHARACTERS) {
      return false;
    }
    for (String name : path.split("/", -1)) {
      if (name.isEmpty() || name.equals(".") || name.equals("..")) {
        return false;
      }
    }
    return path.chars().noneMatch(c -> c < ' ' || c == 0x7f || c == '\\');
  }

  /** Whether a file lies in a directory, or is that file itself; all lie in the empty one. */
  public static boolean within(String directory, String path) {
    return directory.isEmpty()
        || path.equals(directory)
        || (path.startsWith(directory) && path.charAt(directory.length()) == '/');
  }

  /** The path without the directory that it lies in; a file that is named itself keeps its name. */
  public static String below(String directory, String path) {
    if (directory.isEmpty()) {
      return path;
    }
    return path.equals(directory)
        ? path.substring(path.lastIndexOf('/') + 1)
        : path.substring(directory.length() + 1);
  }
}
