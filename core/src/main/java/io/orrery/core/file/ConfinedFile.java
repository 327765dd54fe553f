package io.orrery.core.file;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.channels.FileChannel;
import java.nio.charset.Charset;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A regular file below a directory in which an untrusted program writes, opened for reading without
 * following links.
 *
 * <p>A trial may put a symbolic link to any file of the server's account into its directory, a hard
 * link, a FIFO or a device, and may do so between a check and the opening. So each name of the path
 * is opened from the directory before it with {@code openat(2)} and {@code O_PATH | O_NOFOLLOW},
 * which neither follows a link nor waits for a FIFO nor wakes a device; what was opened is then
 * checked, and only that is read. Linux only, as the server is.
 */
@SuppressWarnings("restricted")
public final class ConfinedFile {
  private static final int FROM_ROOT = -100;
  private static final int O_PATH = 0x200000;
  private static final int O_CLOEXEC = 0x80000;

  /** Two constants that Linux on ARM and POWER numbers differently. */
  private static final boolean OTHER_NUMBERS =
      List.of("aarch64", "arm", "ppc64le", "ppc64").contains(System.getProperty("os.arch"));

  private static final int O_NOFOLLOW = OTHER_NUMBERS ? 0x8000 : 0x20000;
  private static final int O_DIRECTORY = OTHER_NUMBERS ? 0x4000 : 0x10000;
  private static final int NAME = O_PATH | O_NOFOLLOW | O_CLOEXEC;

  private static final int ENOENT = 2;
  private static final int EACCES = 13;
  private static final int ENOTDIR = 20;
  private static final int ELOOP = 40;

  private static final int TYPE = 0170000;
  private static final int LINK = 0120000;
  private static final int REGULAR = 0100000;
  private static final int DIRECTORY = 0040000;
  private static final int FIFO = 0010000;

  private static final StructLayout CAPTURED = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO = CAPTURED.varHandle(PathElement.groupElement("errno"));
  private static final MethodHandle OPEN_AT =
      function(
          "openat",
          FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT),
          Linker.Option.firstVariadicArg(3),
          Linker.Option.captureCallState("errno"));
  private static final MethodHandle CLOSE =
      function("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));

  /** As Java decodes file names. */
  private static final Charset NAMES =
      Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"));

  private ConfinedFile() {}

  /** A file that is there and is not read: a link, one with several names, a FIFO, a directory. */
  public static final class Unfit extends FileSystemException {
    private static final long serialVersionUID = 1L;

    Unfit(Path file, String reason) {
      super(file.toString(), null, reason);
    }
  }

  /**
   * Opens a file.
   *
   * @param directory no link itself; the directories above it are trusted
   * @param file below the directory
   * @throws NoSuchFileException when it is not there
   * @throws Unfit when it, or a directory on the way to it, is a link or anything but a plain file
   */
  public static FileChannel open(Path directory, Path file) throws IOException {
    return open(directory, file, 1);
  }

  /** The same for a directory whose files may have further names, as in a checkout of Git. */
  public static FileChannel openNamed(Path directory, Path file) throws IOException {
    return open(directory, file, Integer.MAX_VALUE);
  }

  private static FileChannel open(Path directory, Path file, int mostNames) throws IOException {
    Path names = directory.relativize(file);
    if (names.startsWith("..") || names.toString().isEmpty()) {
      throw new Unfit(file, "it is not below " + directory);
    }
    int at = descend(directory, names, file, false);
    try {
      return checked(shown(at), file, mostNames);
    } finally {
      close(at);
    }
  }

  /** Opens the directories of a path one after the other; the descriptor of the last name. */
  static int descend(Path root, Path names, Path file, boolean ofDirectory) throws IOException {
    int at = openAt(FROM_ROOT, root, file, NAME | O_DIRECTORY);
    int count = names.toString().isEmpty() ? 0 : names.getNameCount();
    for (int i = 0; i < count; i++) {
      boolean last = i == count - 1;
      int above = at;
      try {
        at =
            openAt(above, names.getName(i), file, last && !ofDirectory ? NAME : NAME | O_DIRECTORY);
      } finally {
        close(above);
      }
    }
    return at;
  }

  /** Opens a directory by its name in another. */
  static int directoryAt(int above, String name) throws IOException {
    return openAt(above, Path.of(name), Path.of(name), NAME | O_DIRECTORY);
  }

  /** The path under which the kernel shows what a descriptor of this process stands for. */
  static Path shown(int descriptor) {
    return Path.of("/proc/self/fd/" + descriptor);
  }

  /** Reads what a descriptor stands for, whatever has its name by now. */
  private static FileChannel checked(Path descriptor, Path file, int mostNames) throws IOException {
    Map<String, Object> found = Files.readAttributes(descriptor, "unix:mode,nlink");
    int type = (int) Objects.requireNonNull(found.get("mode")) & TYPE;
    if (type != REGULAR) {
      throw new Unfit(
          file,
          switch (type) {
            case LINK -> "it is a symbolic link, and links are not followed";
            case DIRECTORY -> "it is a directory";
            case FIFO -> "it is a FIFO";
            default -> "it is not a regular file";
          });
    }
    if ((int) Objects.requireNonNull(found.get("nlink")) > mostNames) {
      throw new Unfit(file, "it has a second name (a hard link), which may be elsewhere");
    }
    return FileChannel.open(descriptor, StandardOpenOption.READ);
  }

  private static int openAt(int from, Path name, Path file, int flags) throws IOException {
    byte[] text = name.toString().getBytes(NAMES);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(CAPTURED);
      // Allocated memory is zero, and so is the end of a text.
      MemorySegment path = arena.allocate(text.length + 1L);
      path.asByteBuffer().put(text);
      int opened = (int) OPEN_AT.invokeExact(state, from, path, flags);
      if (opened < 0) {
        throw failure((int) ERRNO.get(state, 0L), file);
      }
      return opened;
    } catch (IOException | RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("openat(2) cannot be called", e);
    }
  }

  private static IOException failure(int error, Path file) {
    return switch (error) {
      case ENOENT -> new NoSuchFileException(file.toString());
      case EACCES -> new AccessDeniedException(file.toString());
      case ENOTDIR, ELOOP ->
          new Unfit(file, "a directory on the way to it is a symbolic link or no directory");
      default -> new FileSystemException(file.toString(), null, "openat(2) failed with " + error);
    };
  }

  static void close(int descriptor) {
    try {
      int ignored = (int) CLOSE.invokeExact(descriptor);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("close(2) cannot be called", e);
    }
  }

  private static MethodHandle function(
      String name, FunctionDescriptor shape, Linker.Option... options) {
    return Linker.nativeLinker()
        .downcallHandle(
            Linker.nativeLinker().defaultLookup().find(name).orElseThrow(), shape, options);
  }
}
