package io.orrery.core.bus.contract;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.Address;
import io.orrery.core.quota.Amounts;
import io.orrery.core.quota.UsageGroup;
import io.orrery.core.quota.UsageStep;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Questions about what projects have used over time; the studio answers. */
public final class UsageHistory {
  /** Adds up what was used. Refused when the answer would have more than {@link #MOST} entries. */
  public static final Address<AskHistory, History> HISTORY =
      new Address<>("quotas.history", AskHistory.class, History.class);

  /** The most entries of an answer. */
  public static final int MOST = 10_000;

  /** How long days are kept by object. */
  public static final Duration OBJECTS_KEPT = Duration.ofDays(92);

  private UsageHistory() {}

  /**
   * A question about the past.
   *
   * @param projects that count; null for all
   * @param user only what this one used; null for all
   * @param kind only objects of it; null for all
   * @param from not before it
   * @param to before it
   */
  public record AskHistory(
      @Nullable List<ProjectName> projects,
      @Nullable String user,
      @Nullable String kind,
      Instant from,
      Instant to,
      UsageStep step,
      UsageGroup by) {
    public AskHistory {
      projects = projects == null ? null : List.copyOf(projects);
    }
  }

  /**
   * The use of a span.
   *
   * @param at its beginning
   * @param project null unless use is told apart by it, as with the further ones
   * @param seconds amounts times seconds; memory and storage in mebibytes
   */
  public record Used(
      Instant at,
      @Nullable String project,
      @Nullable String user,
      @Nullable String kind,
      @Nullable String name,
      Amounts seconds) {}

  /**
   * The use by span, the earliest first.
   *
   * @param items only spans in which something was used
   */
  public record History(List<Used> items) {
    public History {
      items = List.copyOf(items);
    }
  }
}
