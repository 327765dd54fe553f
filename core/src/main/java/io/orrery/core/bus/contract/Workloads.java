package io.orrery.core.bus.contract;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.Address;
import io.orrery.core.bus.Topic;
import io.orrery.core.bus.contract.People.Done;
import io.orrery.core.bus.contract.Trials.LogPiece;
import io.orrery.core.problem.Finding;
import io.orrery.core.workload.Replica;
import io.orrery.core.workload.ReplicaRef;
import io.orrery.core.workload.Upgrade;
import io.orrery.core.workload.WorkloadRef;
import io.orrery.core.workload.WorkloadSpec;
import io.orrery.core.workload.WorkloadStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Questions about programs that are kept running; the orchestrator answers. */
public final class Workloads {
  /** The name of the runtime of this machine's processes, which is always there. */
  public static final String HERE = "here";

  /** The most events that are kept for each workload. */
  public static final int MOST_EVENTS = 200;

  /** The most bytes of an answer to {@link #CALL}. */
  public static final int MOST_CALLED = 256 << 10;

  /**
   * Says what is to be kept running; the same again changes nothing. Answers when that is durable,
   * before anything runs. Conflict for an older generation than is wanted already.
   */
  public static final Address<Want, Done> WANT =
      new Address<>("workloads.want", Want.class, Done.class);

  /** Ends a workload and forgets it; answers when that is durable. */
  public static final Address<Remove, Done> REMOVE =
      new Address<>("workloads.remove", Remove.class, Done.class);

  /** Workloads with their state, ordered by name. */
  public static final Address<ListSome, Listed> LIST =
      new Address<>("workloads.list", ListSome.class, Listed.class);

  public static final Address<Get, Workload> GET =
      new Address<>("workloads.get", Get.class, Workload.class);

  /** Says what is missing for a specification to run; changes nothing. */
  public static final Address<Check, Checked> CHECK =
      new Address<>("workloads.check", Check.class, Checked.class).waiting(Address.LONG);

  /** Compares the settings of a project with what its cluster has; changes nothing. */
  public static final Address<Preflight, Preflighted> PREFLIGHT =
      new Address<>("workloads.preflight", Preflight.class, Preflighted.class)
          .waiting(Address.LONG);

  /** A piece of what a replica wrote. */
  public static final Address<ReadLog, LogPiece> READ_LOG =
      new Address<>("workloads.log", ReadLog.class, LogPiece.class);

  /**
   * Sends a GET to the program of a workload, with the token of its route; Unavailable when no
   * replica answers.
   */
  public static final Address<Call, Called> CALL =
      new Address<>("workloads.call", Call.class, Called.class);

  /**
   * Keeps the files of a workload's container as an image, without the variables that it was given,
   * and pushes it with the account of the project. Conflict when there is no container.
   */
  public static final Address<TakeSnapshot, SnapshotTaken> SNAPSHOT =
      new Address<>(
          "workloads.snapshot", TakeSnapshot.class, SnapshotTaken.class, Duration.ofMinutes(10));

  /** The last changes of a workload's state, oldest first. */
  public static final Address<EventsOf, Events> EVENTS =
      new Address<>("workloads.events", EventsOf.class, Events.class);

  /** Told when the state of a workload changed. */
  public static final Topic<Changed> CHANGED = new Topic<>("workloads.changed", Changed.class);

  private Workloads() {}

  /**
   * A workload as it is wanted.
   *
   * @param runtime {@link #HERE}, or a cluster of the server's configuration
   * @param generation of the specification, from 1; a higher one replaces the replicas of a lower
   *     one
   * @param code SHA-256 of the code bundle that replicas start in; null for none
   * @param replicas 0 or more
   * @param route the service of the route table without its endpoints, as JSON; null when no
   *     request is to reach the workload
   * @param upgrade how this generation takes over from an earlier one; null when it replaces all as
   *     soon as it is ready
   */
  public record Want(
      WorkloadRef workload,
      ProjectName project,
      String owner,
      String runtime,
      long generation,
      WorkloadSpec spec,
      @Nullable String code,
      int replicas,
      @Nullable String route,
      @Nullable Upgrade upgrade) {
    /** One that replaces all of earlier generations as soon as it is ready. */
    public Want(
        WorkloadRef workload,
        ProjectName project,
        String owner,
        String runtime,
        long generation,
        WorkloadSpec spec,
        @Nullable String code,
        int replicas,
        @Nullable String route) {
      this(workload, project, owner, runtime, generation, spec, code, replicas, route, null);
    }

    /** The same with another number of replicas. */
    public Want with(int number) {
      return new Want(
          workload, project, owner, runtime, generation, spec, code, number, route, upgrade);
    }

    /** The same as another generation, with another way to take over. */
    public Want as(long other, @Nullable Upgrade way) {
      return new Want(workload, project, owner, runtime, other, spec, code, replicas, route, way);
    }

    /** The same without the specification, whose environment may hold secrets. */
    @Override
    public String toString() {
      return "Want[%s, generation %d, %d replicas]".formatted(workload, generation, replicas);
    }
  }

  public record Remove(WorkloadRef workload) {}

  /**
   * A request for workloads.
   *
   * @param among those that are asked for, left out where they do not exist; null for all
   */
  public record ListSome(@Nullable List<WorkloadRef> among) {
    public ListSome {
      among = among == null ? null : List.copyOf(among);
    }
  }

  public record Listed(List<Workload> items) {
    public Listed {
      items = List.copyOf(items);
    }

    /** The same by reference. */
    public Map<WorkloadRef, Workload> byRef() {
      return items.stream().collect(Collectors.toMap(Workload::workload, each -> each));
    }
  }

  public record Get(WorkloadRef workload) {}

  /**
   * A workload and its state.
   *
   * @param wanted the number of replicas that is wanted
   * @param reason a sentence on why it is not ready; null when there is nothing to say
   * @param replicas of every generation that still has some
   * @param since when it came into this status
   * @param routed whether every router sends its requests to its present replicas; told of
   *     notebooks, and true of all others and of what has no route
   * @param connections the number of terminals and of connections to its ports that the server has
   *     open; 0 where a server of an earlier version tells
   * @param upgrade how its generation takes over from an earlier one; null when there is nothing
   *     special about it
   */
  public record Workload(
      WorkloadRef workload,
      ProjectName project,
      String owner,
      String runtime,
      long generation,
      int wanted,
      WorkloadStatus status,
      @Nullable String reason,
      List<Replica> replicas,
      Instant since,
      boolean routed,
      int connections,
      @Nullable Upgrade upgrade) {
    public Workload {
      replicas = List.copyOf(replicas);
    }

    /** The same with another number of connections. */
    public Workload with(int connections) {
      return new Workload(
          workload,
          project,
          owner,
          runtime,
          generation,
          wanted,
          status,
          reason,
          replicas,
          since,
          routed,
          connections,
          upgrade);
    }
  }

  /**
   * A request for a snapshot.
   *
   * @param target the name that it is pushed under
   */
  public record TakeSnapshot(WorkloadRef workload, ProjectName project, String target) {}

  /**
   * The image that was pushed.
   *
   * @param digest null when the engine does not tell it: the registry knows
   * @param bytes of its files
   */
  public record SnapshotTaken(@Nullable String digest, long bytes) {}

  /** A question whether a workload could run on a cluster. */
  public record Check(WorkloadRef workload, String runtime, WorkloadSpec spec) {
    /** Nothing of the specification, whose environment may hold secrets. */
    @Override
    public String toString() {
      return "Check[" + workload + " on " + runtime + "]";
    }
  }

  /**
   * The findings of a check.
   *
   * @param missing sentences; empty when nothing is missing
   */
  public record Checked(List<String> missing) {
    public Checked {
      missing = List.copyOf(missing);
    }
  }

  /**
   * Settings of a project that are to be compared with what is there.
   *
   * @param settings JSON as it was written, right by its grammar
   */
  public record Preflight(String settings) {}

  /**
   * The findings of a preflight; their pointers are into the settings.
   *
   * @param faults what is not there, or may not be used
   * @param doubts what could not be looked at, and what has no effect
   */
  public record Preflighted(List<Finding> faults, List<Finding> doubts) {
    public Preflighted {
      faults = List.copyOf(faults);
      doubts = List.copyOf(doubts);
    }
  }

  /**
   * A request for a piece of a log.
   *
   * @param previous the program before the last restart
   * @param offset in bytes; negative counts from the end
   * @param limit the most bytes, 1 or more
   */
  public record ReadLog(ReplicaRef replica, boolean previous, long offset, int limit) {}

  /**
   * A GET.
   *
   * @param path with its query
   */
  public record Call(WorkloadRef workload, String path) {}

  /** The answer of a program, at most {@link #MOST_CALLED} bytes. */
  public record Called(int status, String body) {}

  public record EventsOf(WorkloadRef workload) {}

  /**
   * A change of state, or a shell that was opened ({@code SHELL}, with its user as the reason).
   *
   * @param replica null when it is about the workload as a whole
   */
  public record Event(
      long number,
      Instant at,
      @Nullable ReplicaRef replica,
      String state,
      @Nullable String reason) {}

  public record Events(List<Event> items) {
    public Events {
      items = List.copyOf(items);
    }
  }

  public record Changed(WorkloadRef workload) {}
}
