package io.orrery.core.bus.contract;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.Address;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Questions about the audit log; the studio answers. */
public final class Audits {
  /** Newest first. */
  public static final Address<ListEntries, EntryPage> LIST =
      new Address<>("audits.list", ListEntries.class, EntryPage.class);

  /** Adds the entries of changes that others made, or were refused. */
  public static final Address<Add, People.Done> ADD =
      new Address<>("audits.add", Add.class, People.Done.class);

  private Audits() {}

  /**
   * An entry of the audit log. It holds no secret.
   *
   * @param user the name of who did it
   * @param from the address that the request came from
   * @param action a verb such as {@code create}, {@code change}, {@code sign-in}
   * @param kind of the object, such as {@code user}, {@code project}, {@code experiment}
   * @param name of the object; empty when it has none
   * @param project of the object; null when it belongs to none
   * @param result {@code done}, or the type of the problem
   * @param detail what changed, in words; empty when the action says it
   */
  public record Entry(
      Instant at,
      String user,
      String from,
      String action,
      String kind,
      String name,
      @Nullable ProjectName project,
      String result,
      String detail) {}

  /** A search; null in a part matches everything. */
  public record ListEntries(
      @Nullable String user,
      @Nullable String kind,
      @Nullable String name,
      @Nullable ProjectName project,
      @Nullable Instant from,
      @Nullable Instant to,
      @Nullable String cursor,
      int limit) {}

  /**
   * A page of entries.
   *
   * @param next the cursor of the next page; null after the last
   */
  public record EntryPage(List<Entry> items, @Nullable String next) {
    public EntryPage {
      items = List.copyOf(items);
    }
  }

  public record Add(List<Entry> entries) {
    public Add {
      entries = List.copyOf(entries);
    }
  }
}
