package io.orrery.core.bus.contract;

import io.orrery.core.bus.Address;
import io.orrery.core.bus.contract.People.Actor;
import io.orrery.core.bus.contract.People.Done;
import io.orrery.core.workload.ReplicaRef;
import io.orrery.core.workload.TerminalSize;
import io.orrery.core.workload.WorkloadRef;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Questions about terminals on shells within replicas, and about commands beside their programs;
 * the orchestrator answers. One that is not read for a minute is closed. NotFound for one that is
 * not open.
 */
public final class Shells {
  /** Starts a shell; Conflict when the replica does not run, Busy when too many are open. */
  public static final Address<OpenShell, Opened> OPEN =
      new Address<>("workloads.openShell", OpenShell.class, Opened.class).waiting(Address.LONG);

  /**
   * Runs a command that has its errors apart and no terminal; read, written and closed like a
   * shell. Conflict when the replica does not run or is in no pod, Busy when the caller runs many.
   */
  public static final Address<RunCommand, Opened> RUN =
      new Address<>("workloads.runCommand", RunCommand.class, Opened.class).waiting(Address.LONG);

  /** Tells which workloads are in pods, so that {@link #RUN} may run a command there. */
  public static final Address<AskPods, InPods> PODS =
      new Address<>("workloads.pods", AskPods.class, InPods.class);

  /** Waits for output, at most some seconds; one question at a time for each terminal. */
  public static final Address<ReadShell, Output> READ =
      new Address<>("workloads.readShell", ReadShell.class, Output.class).waiting(Address.LONG);

  /** Writes input; answers when it is taken. */
  public static final Address<WriteShell, Done> WRITE =
      new Address<>("workloads.writeShell", WriteShell.class, Done.class).waiting(Address.LONG);

  /** Changes the size of the terminal. */
  public static final Address<ResizeShell, Done> RESIZE =
      new Address<>("workloads.resizeShell", ResizeShell.class, Done.class);

  /** Ends a shell; nothing happens when it has ended. */
  public static final Address<CloseShell, Done> CLOSE =
      new Address<>("workloads.closeShell", CloseShell.class, Done.class);

  private Shells() {}

  /**
   * A request for a shell, or for a connection to a port of the replica, which is read and written
   * like one.
   *
   * @param by the caller, for the event of the workload
   * @param port the name of the port; null for a shell
   */
  public record OpenShell(ReplicaRef replica, TerminalSize size, Actor by, @Nullable String port) {}

  /**
   * A request to run a command.
   *
   * @param isUse whether the workload is in use while it runs
   */
  public record RunCommand(ReplicaRef replica, List<String> command, Actor by, boolean isUse) {
    public RunCommand {
      command = List.copyOf(command);
    }
  }

  public record AskPods(List<WorkloadRef> among) {
    public AskPods {
      among = List.copyOf(among);
    }
  }

  public record InPods(List<WorkloadRef> items) {
    public InPods {
      items = List.copyOf(items);
    }
  }

  public record Opened(String shell) {}

  public record ReadShell(String shell) {}

  /**
   * A piece of output, which may be empty.
   *
   * @param ended whether it is the last one
   * @param exitCode of the shell; null before its end, and when it is not known
   * @param error the begin of what a command wrote to stderr, or why it broke off; null before its
   *     end, and of a terminal
   */
  public record Output(
      byte[] bytes, boolean ended, @Nullable Integer exitCode, @Nullable String error) {}

  public record WriteShell(String shell, byte[] bytes) {}

  public record ResizeShell(String shell, TerminalSize size) {}

  public record CloseShell(String shell) {}
}
