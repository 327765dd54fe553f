package io.orrery.compute.process;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/**
 * Sends signals by {@code kill(2)}, which Java offers for single processes and without a choice of
 * signal. A call costs a microsecond where the program of that name costs a fork.
 */
@SuppressWarnings("restricted")
public final class ProcessSignals {
  public static final int TERM = 15;
  public static final int KILL = 9;

  private static final int NO_SUCH_PROCESS = 3;
  private static final StructLayout CAPTURED = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO =
      CAPTURED.varHandle(MemoryLayout.PathElement.groupElement("errno"));
  private static final MethodHandle KILL_CALL =
      Linker.nativeLinker()
          .downcallHandle(
              Linker.nativeLinker().defaultLookup().find("kill").orElseThrow(),
              FunctionDescriptor.of(
                  ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT),
              Linker.Option.captureCallState("errno"));

  private ProcessSignals() {}

  /** Sends a signal to one process; false when there is none of this number. */
  public static boolean toProcess(long pid, int signal) {
    return kill(positive(pid), signal);
  }

  /** Sends a signal to every process of a group; false when the group is empty. */
  public static boolean toGroup(long group, int signal) {
    return kill(-positive(group), signal);
  }

  /** Whether a group has members; one that is over but not reaped counts. */
  public static boolean groupExists(long group) {
    return toGroup(group, 0);
  }

  /** Zero and one would reach our own group, or everything. */
  private static int positive(long pid) {
    if (pid <= 1) {
      throw new IllegalArgumentException("not a process of ours: " + pid);
    }
    return Math.toIntExact(pid);
  }

  private static boolean kill(int target, int signal) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(CAPTURED);
      int answer = (int) KILL_CALL.invokeExact(state, target, signal);
      return answer == 0 || (int) ERRNO.get(state, 0L) != NO_SUCH_PROCESS;
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("kill(2) cannot be called", e);
    }
  }
}
