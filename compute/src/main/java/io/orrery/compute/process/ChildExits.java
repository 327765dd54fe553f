package io.orrery.compute.process;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells when children of {@link NativeSpawn} end, and processes of an earlier server: one thread
 * waits for all of them. Each process gets a descriptor that becomes readable at its end ({@code
 * pidfd_open(2)}, Linux 5.3), and {@code epoll(7)} waits on them all. Waiting for any child at all
 * ({@code waitpid(-1)}) would be simpler, but would take the end of Java's own children away from
 * Java.
 *
 * <p>A hint only. Where no descriptor is left for a child its end is not told; {@link
 * Awaited#isAlive} still says it.
 */
@SuppressWarnings("restricted")
public final class ChildExits {
  private static final Logger LOG = LoggerFactory.getLogger(ChildExits.class);

  private static final long PIDFD_OPEN = 434;
  private static final int CLOSE_ON_EXEC = 0x80000;
  private static final int ADD = 1;
  private static final int REMOVE = 2;
  private static final int READABLE = 1;
  private static final int NO_HANG = 1;
  private static final int AT_ONCE = 64;

  /** {@code struct epoll_event} is an int and a long, on x86-64 without a gap between them. */
  private static final long DATA = System.getProperty("os.arch").equals("amd64") ? 4 : 8;

  private static final long EVENT = DATA + 8;
  private static final ValueLayout.OfLong NUMBER = JAVA_LONG.withByteAlignment(4);

  private static final @Nullable ChildExits ALL = open();

  private final MethodHandle wait;
  private final MethodHandle control;
  private final MethodHandle openPid;
  private final MethodHandle waitPid;
  private final MethodHandle close;
  private final int queue;
  private final Map<Integer, Ended> awaited = new ConcurrentHashMap<>();

  /**
   * A process whose end is waited for.
   *
   * @param child null for one that an earlier server has started
   */
  private record Ended(@Nullable Awaited child, Runnable told) {}

  private ChildExits(
      MethodHandle wait,
      MethodHandle control,
      MethodHandle openPid,
      MethodHandle waitPid,
      MethodHandle close,
      int queue) {
    this.wait = wait;
    this.control = control;
    this.openPid = openPid;
    this.waitPid = waitPid;
    this.close = close;
    this.queue = queue;
  }

  static boolean arePossible() {
    return ALL != null;
  }

  /** Calls once when a child has ended. */
  static void tell(Awaited child, Runnable told) {
    boolean ignored = Objects.requireNonNull(ALL).add(child.pid, child, told);
  }

  /**
   * Calls once, from any thread, when a process has ended that is no child of this server.
   *
   * @return false when its end cannot be told: it has ended, or this system does not do it
   */
  public static boolean tell(long pid, long startTime, Runnable told) {
    return ALL != null
        && ALL.add(Math.toIntExact(pid), null, told)
        // Else the number was another process's already when the descriptor was opened.
        && Processes.isAlive(pid, startTime);
  }

  /** A child that is waited for here. Its number is its own until its end has been taken. */
  static final class Awaited implements ChildProcess {
    private final int pid;
    private boolean over;

    Awaited(int pid) {
      this.pid = pid;
    }

    @Override
    public long pid() {
      return pid;
    }

    @Override
    public synchronized boolean isAlive() {
      over = over || Objects.requireNonNull(ALL).take(pid);
      return !over;
    }

    @Override
    public synchronized void kill() {
      if (isAlive()) {
        ProcessSignals.toProcess(pid, ProcessSignals.KILL);
      }
    }
  }

  private static @Nullable ChildExits open() {
    try {
      Linker linker = Linker.nativeLinker();
      MethodHandle create = Libc.function("epoll_create1", JAVA_INT);
      MethodHandle wait = Libc.function("epoll_wait", JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT);
      MethodHandle control = Libc.function("epoll_ctl", JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS);
      MethodHandle waitPid = Libc.function("waitpid", JAVA_INT, ADDRESS, JAVA_INT);
      MethodHandle close = Libc.function("close", JAVA_INT);
      MethodHandle openPid =
          linker
              .defaultLookup()
              .find("syscall")
              .map(address ->
                  linker.downcallHandle(
                      address,
                      FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT),
                      Linker.Option.firstVariadicArg(1)))
              .orElse(null);
      if (create == null
          || wait == null
          || control == null
          || waitPid == null
          || close == null
          || openPid == null) {
        return null;
      }
      int self =
          (int) (long) openPid.invokeExact(PIDFD_OPEN, (int) ProcessHandle.current().pid(), 0);
      int queue = (int) create.invokeExact(CLOSE_ON_EXEC);
      if (self < 0 || queue < 0) {
        return null;
      }
      int ignored = (int) close.invokeExact(self);
      ChildExits exits = new ChildExits(wait, control, openPid, waitPid, close, queue);
      Thread.ofPlatform().daemon().name("child-exits").start(exits::listen);
      return exits;
    } catch (IllegalCallerException denied) {
      return null;
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  private boolean add(int pid, @Nullable Awaited child, Runnable told) {
    try (Arena arena = Arena.ofConfined()) {
      int descriptor = (int) (long) openPid.invokeExact(PIDFD_OPEN, pid, 0);
      if (descriptor < 0) {
        LOG.debug("could not open a descriptor of process {}, polling for its end", pid);
        return false;
      }
      awaited.put(descriptor, new Ended(child, told));
      MemorySegment event = arena.allocate(EVENT, 8);
      event.set(JAVA_INT, 0, READABLE);
      event.set(NUMBER, DATA, descriptor);
      if ((int) control.invokeExact(queue, ADD, descriptor, event) != 0) {
        awaited.remove(descriptor);
        int ignored = (int) close.invokeExact(descriptor);
        return false;
      }
      return true;
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  private void listen() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment events = arena.allocate(EVENT * AT_ONCE, 8);
      while (true) {
        int count = (int) wait.invokeExact(queue, events, AT_ONCE, -1);
        if (count < 0) {
          // Interrupted by a signal; whatever else it may be, it must not spin.
          LockSupport.parkNanos(1_000_000);
        }
        for (int i = 0; i < count; i++) {
          ended((int) events.get(NUMBER, i * EVENT + DATA));
        }
      }
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  /**
   * Taken off the queue before it is closed: a child that is being spawned at this moment holds a
   * copy of every descriptor, so closing ours would not end the watch, and its next event would
   * carry a number that belongs to another child by then.
   */
  private void ended(int descriptor) throws Throwable {
    Ended ended = awaited.get(descriptor);
    if (ended == null || (ended.child() != null && ended.child().isAlive())) {
      return;
    }
    awaited.remove(descriptor);
    int ignored = (int) control.invokeExact(queue, REMOVE, descriptor, MemorySegment.NULL);
    ignored = (int) close.invokeExact(descriptor);
    ended.told().run();
  }

  /** Takes the end of a child, once: then its number is free. */
  private boolean take(int pid) {
    try {
      return (int) waitPid.invokeExact(pid, MemorySegment.NULL, NO_HANG) != 0;
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  private static IllegalStateException broken(Throwable e) {
    if (e instanceof Error error) {
      throw error;
    }
    return new IllegalStateException("the C library cannot be called", e);
  }
}
