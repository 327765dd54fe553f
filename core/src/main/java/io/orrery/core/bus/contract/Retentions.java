package io.orrery.core.bus.contract;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.Address;
import io.orrery.core.bus.contract.People.Actor;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Questions about how long old objects are kept, and what was removed; the studio answers. */
public final class Retentions {
  /** The most days of a rule. */
  public static final int MOST_DAYS = 36_500;

  /** The most objects of a kind in a preview. */
  public static final int MOST_PREVIEWED = 100;

  /** The rules of all kinds. */
  public static final Address<AskRules, Rules> LIST =
      new Address<>("retentions.list", AskRules.class, Rules.class);

  /** Changes the rule of a kind. */
  public static final Address<PutRule, Rule> PUT =
      new Address<>("retentions.put", PutRule.class, Rule.class);

  /** Checks a rule as {@link #PUT} does; answers with the rule as it would be. */
  public static final Address<PutRule, Rule> CHECK_PUT =
      new Address<>("retentions.checkPut", PutRule.class, Rule.class);

  /** The objects that would be removed now; changes nothing. */
  public static final Address<AskPreview, Preview> PREVIEW =
      new Address<>("retentions.preview", AskPreview.class, Preview.class).waiting(Address.LONG);

  /** Removes what the rules say now, and does not wait for the night; the answer comes at once. */
  public static final Address<RunNow, Rules> RUN =
      new Address<>("retentions.run", RunNow.class, Rules.class);

  /** Checks whether a pass could begin as {@link #RUN} does; begins none. */
  public static final Address<RunNow, Rules> CHECK_RUN =
      new Address<>("retentions.checkRun", RunNow.class, Rules.class);

  private Retentions() {}

  /** A kind of objects that have a rule. */
  public enum Kind {
    /** Notebooks that are stopped, since they were. Their files stay. */
    NOTEBOOKS("Stopped notebooks", "The files of their owners stay.", null, 1),
    /** Builds of images that are over, with their logs, since they were. Images stay. */
    BUILDS("Builds that are over", "Images stay in their registries, environments stay.", null, 1),
    /** Images that builds have pushed, in their registries, since they were pushed last. */
    IMAGES(
        "Images of builds",
        "In their registries. Those that a build, service, notebook, shell, experiment, run,"
            + " schedule, template, pipeline or the catalogue names stay, and those under a tag that"
            + " no build has pushed.",
        null,
        1),
    /** Directories of environments of Python packages, since they were built or chosen last. */
    ENVIRONMENTS(
        "Unused environments",
        "Those that a build, service, notebook, shell, experiment, run, schedule or pipeline names"
            + " stay.",
        null,
        1),
    /** Images and layers that builds of a project keep on the machine, since its last build. */
    LAYERS(
        "Layers of builds",
        "What a project's builds keep on the server's machine to be faster; images stay in their"
            + " registries.",
        null,
        1),
    /** Directories of code that was fetched from Git for experiments, since it was. */
    CODE(
        "Code fetched from Git",
        "In the files of people, below code. What an experiment or document names stays, and what"
            + " was changed by hand.",
        null,
        1),
    /** Runs of pipelines that are over, since they were. */
    RUNS("Runs that are over", "Those that a model or a waiting due run names stay.", null, 1),
    /** Entries of the audit log. */
    AUDIT("Entries of the audit log", "For 30 days at least.", 360, 30);

    private final String title;
    private final String note;
    private final @Nullable Integer usualDays;
    private final int leastDays;

    Kind(String title, String note, @Nullable Integer usualDays, int leastDays) {
      this.title = title;
      this.note = note;
      this.usualDays = usualDays;
      this.leastDays = leastDays;
    }

    /** The objects, as a heading. */
    public String title() {
      return title;
    }

    /** A sentence about what stays. */
    public String note() {
      return note;
    }

    /** The days of the rule that was never changed; null when such objects are kept. */
    public @Nullable Integer usualDays() {
      return usualDays;
    }

    /** The fewest days that a rule may have. */
    public int leastDays() {
      return leastDays;
    }

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public record AskRules() {}

  /**
   * A rule.
   *
   * @param keepDays the days after which an object is removed; null when it is kept
   * @param changedBy null when it was never changed
   * @param last null before the first pass
   */
  public record Rule(
      Kind kind,
      @Nullable Integer keepDays,
      @Nullable String changedBy,
      @Nullable Instant changedAt,
      @Nullable Pass last) {}

  /**
   * A pass over the old objects of a kind.
   *
   * @param kept the number of old objects that stay because something refers to them
   * @param failure why it ended early; null when it did not
   */
  public record Pass(Instant at, long removed, long kept, @Nullable String failure) {}

  public record Rules(List<Rule> items) {
    public Rules {
      items = List.copyOf(items);
    }
  }

  /**
   * A request to change a rule.
   *
   * @param keepDays null to keep such objects
   */
  public record PutRule(Actor by, Kind kind, @Nullable Integer keepDays) {}

  /**
   * A question what would be removed.
   *
   * @param kind null for all
   * @param keepDays in the place of those of the rule; null for those of the rule
   */
  public record AskPreview(@Nullable Kind kind, @Nullable Integer keepDays) {}

  /**
   * An old object.
   *
   * @param name of the object; of the audit log, the number of entries in words
   * @param count the number of rows that it stands for
   * @param since when it was stopped, over or added
   * @param usedBy what refers to it, for which it is not removed; null when nothing does
   */
  public record OldObject(
      Kind kind,
      String name,
      @Nullable ProjectName project,
      long count,
      Instant since,
      @Nullable String usedBy) {
    /** The same with what refers to it. */
    public OldObject usedBy(@Nullable String other) {
      return new OldObject(kind, name, project, count, since, other);
    }
  }

  /**
   * A list of what would be removed.
   *
   * @param more whether there are more than these
   */
  public record Preview(List<OldObject> items, boolean more) {
    public Preview {
      items = List.copyOf(items);
    }
  }

  /**
   * A request for a pass.
   *
   * @param kinds whose rules count
   */
  public record RunNow(Actor by, List<Kind> kinds) {
    public RunNow {
      kinds = List.copyOf(kinds);
    }
  }
}
