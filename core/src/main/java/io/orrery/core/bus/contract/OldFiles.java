package io.orrery.core.bus.contract;

import io.orrery.core.bus.Address;
import io.orrery.core.bus.contract.People.Done;
import io.orrery.core.bus.contract.Retentions.Kind;
import io.orrery.core.bus.contract.Retentions.OldObject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Questions about what builds and code have left on a disk; the server that builds answers. */
public final class OldFiles {
  /** Longer than the 25 minutes that a removal of gigabytes of small files has. */
  private static final Duration PATIENCE = Duration.ofMinutes(30);

  /**
   * The files of a kind that are older than an instant, with what of the orchestrator uses them.
   */
  public static final Address<Find, Found> FIND =
      new Address<>("retentions.findFiles", Find.class, Found.class).waiting(PATIENCE);

  /** Removes one; fails with Conflict when it is used, being made, or not old any more. */
  public static final Address<Remove, Done> REMOVE =
      new Address<>("retentions.removeFiles", Remove.class, Done.class).waiting(PATIENCE);

  private OldFiles() {}

  /** A question for the files of a kind that are older than an instant. */
  public record Find(Kind kind, Instant before) {}

  /**
   * The old files of a kind.
   *
   * @param unread the number of directories that could not be read, whose files are not among them
   */
  public record Found(List<OldObject> items, long unread) {
    public Found {
      items = List.copyOf(items);
    }
  }

  /**
   * A request to remove files.
   *
   * @param object as it was found
   * @param before the instant that it must be older than
   */
  public record Remove(OldObject object, Instant before) {}
}
