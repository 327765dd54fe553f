package io.orrery.core.process;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Set;

/**
 * The file mode creation mask of this process ({@code umask(2)}): permission bits that no new file
 * or directory gets. The server takes all of other people's away from what it makes, and hands the
 * mask that it was started with to the trials, whose files elsewhere are the user's business.
 */
@SuppressWarnings("restricted")
public final class Umask {
  private static final int PRIVATE = 0077;
  private static final int USUAL = 0022;

  private static final int INHERITED = read();

  private Umask() {}

  /** The mask that this process was started with. */
  public static int inherited() {
    return INHERITED;
  }

  /** From now on what this process makes is its owner's alone: 0700 and 0600. */
  public static void makePrivate() {
    try {
      int ignored =
          (int)
              Linker.nativeLinker()
                  .downcallHandle(
                      Linker.nativeLinker().defaultLookup().find("umask").orElseThrow(),
                      FunctionDescriptor.of(JAVA_INT, JAVA_INT))
                  .invokeExact(PRIVATE);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("umask(2) cannot be called", e);
    }
  }

  /**
   * Gives a file or directory outside of the home the mode that it would have had under the mask
   * that this process was started with: others have to read it.
   */
  public static void usual(Path made) throws IOException {
    int mode = (Files.isDirectory(made) ? 0777 : 0666) & ~INHERITED;
    PosixFilePermission[] bits = PosixFilePermission.values();
    Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
    for (int i = 0; i < bits.length; i++) {
      // In the order of the bits, the highest first.
      if ((mode & (0400 >> i)) != 0) {
        permissions.add(bits[i]);
      }
    }
    Files.setPosixFilePermissions(made, permissions);
  }

  private static int read() {
    try {
      for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
        if (line.startsWith("Umask:")) {
          return Integer.parseInt(line.substring("Umask:".length()).strip(), 8);
        }
      }
    } catch (IOException | NumberFormatException e) {
      // Told since Linux 4.7.
    }
    return USUAL;
  }
}
