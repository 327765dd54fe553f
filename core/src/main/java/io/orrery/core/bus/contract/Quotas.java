package io.orrery.core.bus.contract;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.Address;
import io.orrery.core.bus.Topic;
import io.orrery.core.bus.contract.People.Done;
import io.orrery.core.quota.Amounts;
import io.orrery.core.quota.QuotaLimits;
import io.orrery.core.quota.QuotaObject;
import io.orrery.core.quota.QuotaResource;
import io.orrery.core.quota.QuotaScope;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Questions about what projects use of their quotas; the studio answers. */
public final class Quotas {
  /**
   * Charges an object for a number of units; the same again changes nothing. Answers with the
   * number that it holds from now on, once that is durable, and with the reason when it is less
   * than was wanted. Fewer than before is always granted. Conflict for an earlier epoch than the
   * object was held under.
   */
  public static final Address<Hold, HoldAnswer> HOLD =
      new Address<>("quotas.hold", Hold.class, HoldAnswer.class);

  /**
   * Charges an object for what is there already: all units that are wanted, also beyond a limit.
   * Nothing is added to what is beyond it before there is room again.
   */
  public static final Address<Hold, HoldAnswer> FOUND =
      new Address<>("quotas.found", Hold.class, HoldAnswer.class);

  /** Gives back all that an object and its parts hold, but for some parts. */
  public static final Address<Release, Done> RELEASE =
      new Address<>("quotas.release", Release.class, Done.class);

  /** The objects of a kind that hold something. */
  public static final Address<HeldBy, AllHeld> HELD =
      new Address<>("quotas.held", HeldBy.class, AllHeld.class);

  /** Says which limits are too low for something to be ever started; changes nothing. */
  public static final Address<Check, Checked> CHECK =
      new Address<>("quotas.check", Check.class, Checked.class);

  public static final Address<AskUsage, Usage> USAGE =
      new Address<>("quotas.usage", AskUsage.class, Usage.class);

  /** The limits of all projects together, and their use; empty when only projects have limits. */
  public static final Address<AskShares, Shares> SHARES =
      new Address<>("quotas.shares", AskShares.class, Shares.class);

  /** Told by each server when what it waits for has changed, and now and then. */
  public static final Topic<Claimed> CLAIMED = new Topic<>("quotas.claimed", Claimed.class);

  /** Told when something of a project may be free that was not. */
  public static final Topic<Freed> FREED = new Topic<>("quotas.freed", Freed.class);

  private Quotas() {}

  /**
   * A charge of an object.
   *
   * @param user who is charged
   * @param epoch of the lease of who asks, so that an earlier owner changes nothing
   * @param unit the amounts of one
   * @param wanted how many it is to hold at most, 0 or more
   */
  public record Hold(
      QuotaObject object, ProjectName project, String user, long epoch, Amounts unit, int wanted) {
    /** The same with another number. */
    public Hold with(int number) {
      return new Hold(object, project, user, epoch, unit, number);
    }
  }

  /**
   * The units that an object holds.
   *
   * @param reason why they are not as many as wanted; null when they are
   * @param scope whose limit is in the way; of no meaning when none is
   */
  public record HoldAnswer(int units, @Nullable String reason, QuotaScope scope) {
    /** As many as were wanted. */
    public static HoldAnswer all(int units) {
      return new HoldAnswer(units, null, QuotaScope.MEMBER);
    }
  }

  /**
   * A request to give back.
   *
   * @param except the parts that stay; an empty text stands for the object itself
   */
  public record Release(String kind, String name, long epoch, List<String> except) {
    public Release {
      except = List.copyOf(except);
    }
  }

  public record HeldBy(String kind) {}

  /** The units of one object. */
  public record HeldUnits(QuotaObject object, int units) {}

  public record AllHeld(List<HeldUnits> items) {
    public AllHeld {
      items = List.copyOf(items);
    }
  }

  /**
   * A question whether one unit fits into the limits when nothing else is used.
   *
   * @param what for whom, such as {@code a trial of it}
   */
  public record Check(ProjectName project, String what, Amounts unit) {}

  /**
   * The limits that are too low.
   *
   * @param findings sentences; empty when it fits
   */
  public record Checked(List<String> findings) {
    public Checked {
      findings = List.copyOf(findings);
    }
  }

  public record AskUsage(ProjectName project) {}

  /** The amounts of a member. */
  public record MemberUsage(String user, Amounts used) {}

  /** The amounts of an object, with those of its parts. */
  public record ObjectUsage(String kind, String name, String user, Amounts used, Instant since) {}

  /**
   * The amounts that a project uses now.
   *
   * @param members those that use something, by name
   * @param objects at most {@link #MOST_OBJECTS}, the oldest first
   */
  public record Usage(
      QuotaLimits limits, Amounts used, List<MemberUsage> members, List<ObjectUsage> objects) {
    public Usage {
      members = List.copyOf(members);
      objects = List.copyOf(objects);
    }
  }

  /** The most objects of an answer to {@link #USAGE}. */
  public static final int MOST_OBJECTS = 1_000;

  public record Freed(ProjectName project) {}

  public record AskShares() {}

  /** The amounts of a project. */
  public record ProjectUsage(ProjectName project, Amounts used) {}

  /**
   * The use of all projects.
   *
   * @param limits of all together; what is missing has none
   * @param projects those that use something; empty when there are no limits
   */
  public record Shares(Map<QuotaResource, Long> limits, List<ProjectUsage> projects) {
    public Shares {
      limits = Map.copyOf(limits);
      projects = List.copyOf(projects);
    }
  }

  /**
   * Units that objects of a project wait for, all of one size and priority.
   *
   * @param scope whose limit they wait for
   * @param since when the project was last given something, or when the first of them came
   */
  public record UnitClaim(
      ProjectName project,
      int priority,
      Amounts unit,
      int missing,
      QuotaScope scope,
      Instant since) {}

  /**
   * The claims of a server, all of them.
   *
   * @param server a name that no other process has
   */
  public record Claimed(String server, List<UnitClaim> claims) {
    public Claimed {
      claims = List.copyOf(claims);
    }
  }
}
