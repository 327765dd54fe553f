package io.orrery.compute.process;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Starts programs by {@code posix_spawn(3)}, called directly.
 *
 * <p>Java starts a program in two steps: it spawns a helper of its own, {@code jspawnhelper}, which
 * arranges the descriptors and then becomes the program; and a thread waits for each child's end.
 * It offers no session, so the program {@code setsid} has to come between as well. For a trial of a
 * few milliseconds these are a fifth of all that it costs the machine. The C library of today can
 * do all of it in the spawn itself, without a program in between:
 *
 * <ul>
 *   <li>a new session ({@code POSIX_SPAWN_SETSID}), glibc 2.26;
 *   <li>the working directory ({@code addchdir_np}), glibc 2.29;
 *   <li>no descriptor of the server but the three that are meant ({@code addclosefrom_np}), glibc
 *       2.34. Java's own descriptors are closed on exec anyway, those of native libraries may not
 *       be;
 *   <li>no signal blocked, none ignored. A server that was started by {@code nohup} ignores SIGHUP,
 *       and its trials would too.
 * </ul>
 *
 * <p>The child shares the server's memory until it becomes the program ({@code CLONE_VM}), so the
 * price does not grow with the heap. {@link ChildExits} tells when it has ended. Where anything of
 * this is missing (musl, an old glibc, another processor, native access denied), {@link
 * SetsidSpawn} does the same for more.
 */
final class NativeSpawn implements Spawn {
  /** Larger than the structures of any C library of Linux, which are 80 and 336 bytes. */
  private static final long ROOM = 1_024;

  private static final int STDIN = 0;
  private static final int STDOUT = 1;
  private static final int STDERR = 2;

  /** {@code O_WRONLY | O_CREAT | O_APPEND} of Linux. */
  private static final int APPEND = 0x1 | 0x40 | 0x400;

  private static final int ALL_BY_UMASK = 0666;

  /** {@code POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSID}. */
  private static final short FLAGS = 0x04 | 0x08 | 0x80;

  private static final int ARGUMENTS_TOO_LONG = 7;

  private static final @Nullable Calls CALLS = Calls.find();

  /** Whether this system has all that it takes. */
  static boolean isPossible() {
    return CALLS != null && ChildExits.arePossible();
  }

  @Override
  public ChildProcess start(Program program, Runnable onExit) throws IOException {
    int pid;
    try (Arena arena = Arena.ofConfined()) {
      pid = Objects.requireNonNull(CALLS).start(arena, program);
    }
    ChildExits.Awaited child = new ChildExits.Awaited(pid);
    ChildExits.tell(child, onExit);
    return child;
  }

  /** The functions, and the attributes, which are the same for every child. */
  private record Calls(
      MethodHandle spawn,
      MethodHandle initActions,
      MethodHandle destroyActions,
      MethodHandle addOpen,
      MethodHandle addDirectory,
      MethodHandle addCloseFrom,
      MemorySegment attributes) {
    static @Nullable Calls find() {
      String processor = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
      if (!System.getProperty("os.name").equals("Linux")
          || !List.of("amd64", "aarch64").contains(processor)) {
        return null;
      }
      try {
        MethodHandle spawn =
            Libc.function("posix_spawnp", ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS);
        MethodHandle init = Libc.function("posix_spawn_file_actions_init", ADDRESS);
        MethodHandle destroy = Libc.function("posix_spawn_file_actions_destroy", ADDRESS);
        MethodHandle open =
            Libc.function(
                "posix_spawn_file_actions_addopen", ADDRESS, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT);
        MethodHandle directory =
            Libc.function("posix_spawn_file_actions_addchdir_np", ADDRESS, ADDRESS);
        MethodHandle closeFrom =
            Libc.function("posix_spawn_file_actions_addclosefrom_np", ADDRESS, JAVA_INT);
        MemorySegment attributes = session();
        return spawn == null
                || init == null
                || destroy == null
                || open == null
                || directory == null
                || closeFrom == null
                || attributes == null
            ? null
            : new Calls(spawn, init, destroy, open, directory, closeFrom, attributes);
      } catch (IllegalCallerException denied) {
        return null;
      }
    }

    private static @Nullable MemorySegment session() {
      MethodHandle init = Libc.function("posix_spawnattr_init", ADDRESS);
      MethodHandle flags = Libc.function("posix_spawnattr_setflags", ADDRESS, JAVA_SHORT);
      MethodHandle mask = Libc.function("posix_spawnattr_setsigmask", ADDRESS, ADDRESS);
      MethodHandle defaults = Libc.function("posix_spawnattr_setsigdefault", ADDRESS, ADDRESS);
      MethodHandle none = Libc.function("sigemptyset", ADDRESS);
      MethodHandle all = Libc.function("sigfillset", ADDRESS);
      if (init == null
          || flags == null
          || mask == null
          || defaults == null
          || none == null
          || all == null) {
        return null;
      }
      MemorySegment attributes = Arena.global().allocate(ROOM, 16);
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment signals = arena.allocate(ROOM, 16);
        boolean done =
            (int) init.invokeExact(attributes) == 0
                && (int) none.invokeExact(signals) == 0
                && (int) mask.invokeExact(attributes, signals) == 0
                && (int) all.invokeExact(signals) == 0
                && (int) defaults.invokeExact(attributes, signals) == 0
                && (int) flags.invokeExact(attributes, FLAGS) == 0;
        return done ? attributes : null;
      } catch (Throwable e) {
        throw broken(e);
      }
    }

    int start(Arena arena, Program program) throws IOException {
      MemorySegment actions = arena.allocate(ROOM, 16);
      MemorySegment pid = arena.allocate(JAVA_INT);
      MemorySegment file = Libc.text(arena, program.line().getFirst());
      MemorySegment line = Libc.texts(arena, program.line());
      List<String> variables = new ArrayList<>(program.environment().size());
      program.environment().forEach((name, value) -> variables.add(name + "=" + value));
      MemorySegment environment = Libc.texts(arena, variables);
      MemorySegment nothing = Libc.text(arena, "/dev/null");
      MemorySegment stdout = Libc.text(arena, program.stdout().toString());
      MemorySegment stderr = Libc.text(arena, program.stderr().toString());
      MemorySegment directory = Libc.text(arena, program.directory().toString());
      int error;
      try {
        error = (int) initActions.invokeExact(actions);
        if (error == 0) {
          error =
              first(
                  (int) addOpen.invokeExact(actions, STDIN, nothing, 0, 0),
                  (int) addOpen.invokeExact(actions, STDOUT, stdout, APPEND, ALL_BY_UMASK),
                  (int) addOpen.invokeExact(actions, STDERR, stderr, APPEND, ALL_BY_UMASK),
                  (int) addDirectory.invokeExact(actions, directory),
                  (int) addCloseFrom.invokeExact(actions, STDERR + 1));
          if (error == 0) {
            error = (int) spawn.invokeExact(pid, file, actions, attributes, line, environment);
          }
          int ignored = (int) destroyActions.invokeExact(actions);
        }
      } catch (Throwable e) {
        throw broken(e);
      }
      if (error != 0) {
        throw new IOException(
            error == ARGUMENTS_TOO_LONG
                ? "Argument list too long"
                : "%s cannot be started in %s: %s"
                    .formatted(program.line().getFirst(), program.directory(), words(error)));
      }
      return pid.get(JAVA_INT, 0);
    }

    /** The error numbers of Linux that a spawn can give (errno(3)). */
    private static String words(int error) {
      return switch (error) {
        case 2 -> "no such file or directory";
        case 11 -> "the limit of processes or threads is reached (ulimit -u, pids.max)";
        case 12 -> "the machine has no memory left";
        case 13 -> "permission denied";
        case 20 -> "not a directory";
        case 23, 24 -> "too many files are open (ulimit -n)";
        case 28 -> "no space left on device";
        default -> "error " + error + " of posix_spawn(3)";
      };
    }

    private static int first(int... errors) {
      for (int error : errors) {
        if (error != 0) {
          return error;
        }
      }
      return 0;
    }
  }

  private static IllegalStateException broken(Throwable e) {
    if (e instanceof Error error) {
      throw error;
    }
    return new IllegalStateException("posix_spawn(3) cannot be called", e);
  }
}
