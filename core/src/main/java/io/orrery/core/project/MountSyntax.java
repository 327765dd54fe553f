package io.orrery.core.project;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The syntax of the source and the container path of a mount, and their canonical forms. */
final class MountSyntax {
  static final int MOST_PATH = 1_024;

  /** The separators of mounts. */
  static final String SEPARATORS = ";,\n\r\t";

  private static final Pattern SLASHES = Pattern.compile("/{2,}");
  private static final Pattern SIZE = Pattern.compile("[1-9][0-9]{0,6}[GM]");

  private MountSyntax() {}

  /** The path without doubled slashes and without one at the end. */
  static String path(String written) {
    String path = SLASHES.matcher(written).replaceAll("/");
    return path.length() > 1 && path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
  }

  /** The source in canonical form: the directory of a node begins with a slash. */
  static String source(VolumeKind kind, String written) {
    return kind == VolumeKind.HOSTPATH && !written.isEmpty()
        ? path(written.startsWith("/") ? written : "/" + written)
        : written;
  }

  /** Says what is wrong with a source in canonical form; null when nothing is. */
  static @Nullable String sourceFault(VolumeKind kind, String source) {
    String shown = Characters.quoted(source);
    return switch (kind) {
      case PVC, PVC_SHARE, STORAGE, CONFIGMAP, SECRET -> {
        if (source.isEmpty()) {
          yield "the name before (%s) is missing, as in name(%1$s):/path".formatted(kind.word());
        }
        yield LabelSyntax.isSubdomain(source)
            ? null
            : shown
                + " is not a name of Kubernetes: at most 253 small letters, digits, '-' and '.',"
                + " with a letter or digit at both ends of each part";
      }
      case MEMORY -> {
        if (source.isEmpty()) {
          yield "the size before (memory) is missing, as in 4G(memory):/dev/shm";
        }
        yield SIZE.matcher(source).matches()
            ? null
            : shown + " is not a size: write a whole number above 0, and G or M, as in 4G";
      }
      case HOSTPATH -> {
        if (source.isEmpty()) {
          yield "the directory of the node is missing, as in /data(hostpath):/data";
        }
        yield faultOfPath("the directory of the node", source);
      }
    };
  }

  /** Says what is wrong with a container path in canonical form; null when nothing is. */
  static @Nullable String pathFault(String path) {
    if (path.isEmpty()) {
      return "the path in the container is missing, as in name(pvc):/mnt";
    }
    return faultOfPath("the path in the container", path);
  }

  private static @Nullable String faultOfPath(String name, String path) {
    String shown = name + ", " + Characters.quoted(path) + ", ";
    if (!path.startsWith("/")) {
      return shown + "is relative; begin it with '/'";
    }
    if (path.equals("/")) {
      return name + " is the root, which cannot be mounted; name a directory below it";
    }
    if (path.length() > MOST_PATH) {
      return "%s has %,d characters, and at most %,d are allowed"
          .formatted(name, path.length(), MOST_PATH);
    }
    if (path.indexOf('(') >= 0 || path.indexOf(')') >= 0) {
      return shown + "has a bracket; a kind stands before the ':', as in name(kind):/path";
    }
    if (path.indexOf(':') >= 0) {
      return shown + "has a ':'; put ';' between two mounts";
    }
    for (String segment : path.substring(1).split("/", -1)) {
      if (segment.equals("..") || segment.equals(".")) {
        return shown + "has the segment '" + segment + "'; write the path without it";
      }
      if (!segment.equals(segment.strip())) {
        return shown + "has a blank beside a '/'; leave it out";
      }
    }
    String fault = Characters.fault(path);
    return fault == null ? null : shown + fault;
  }

  /** Throws when a source or path is not in canonical form, or could not be read back. */
  static void require(VolumeKind kind, String source, String path) {
    String fault = sourceFault(kind, source);
    fault = fault == null ? pathFault(path) : fault;
    boolean isCanonical = source.equals(source(kind, source)) && path.equals(path(path));
    boolean isDivided = (source + path).chars().anyMatch(c -> SEPARATORS.indexOf(c) >= 0);
    if (fault != null || !isCanonical || isDivided) {
      throw new IllegalArgumentException(
          fault == null
              ? "a mount has a slash too many, or a separator: " + source + ", " + path
              : fault);
    }
  }
}
