package io.orrery.core.bus.contract;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.Address;
import io.orrery.core.bus.contract.People.Actor;
import io.orrery.core.bus.contract.People.Done;
import io.orrery.core.bus.contract.Services.Outcome;
import io.orrery.core.run.PipelineName;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Questions about the templates of tasks; the studio answers. */
public final class Templates {
  /** The most characters of a document. */
  public static final int MOST_CHARACTERS = 200_000;

  public static final Address<ListTemplates, TemplatePage> LIST =
      new Address<>("templates.list", ListTemplates.class, TemplatePage.class);

  public static final Address<GetTemplate, Template> GET =
      new Address<>("templates.get", GetTemplate.class, Template.class);

  /** Creates a template or changes its document. Refused with all findings. */
  public static final Address<PutTemplate, PutDone> PUT =
      new Address<>("templates.put", PutTemplate.class, PutDone.class);

  public static final Address<OfTemplate, Done> DELETE =
      new Address<>("templates.delete", OfTemplate.class, Done.class);

  /** Checks arguments against a template; Refused with all findings. */
  public static final Address<CheckArguments, Checked> CHECK =
      new Address<>("templates.check", CheckArguments.class, Checked.class);

  private Templates() {}

  /**
   * A template.
   *
   * @param document as it was written, a JSON object
   * @param released whether others than its owner and administrators see it
   * @param builtIn whether the server brings it; such a one cannot be changed
   */
  public record Template(
      PipelineName name,
      ProjectName project,
      String owner,
      String document,
      boolean released,
      boolean builtIn,
      Instant createdAt,
      Instant changedAt,
      long revision) {}

  /**
   * A request for a page of templates.
   *
   * @param among the projects whose templates may be seen; null for all
   * @param caller who sees templates of their own that are not released; null for all of them
   * @param text null, or what the name contains
   */
  public record ListTemplates(
      @Nullable List<ProjectName> among,
      @Nullable String caller,
      @Nullable String owner,
      @Nullable String text,
      @Nullable String cursor,
      int limit) {
    public ListTemplates {
      among = among == null ? null : List.copyOf(among);
    }
  }

  /**
   * A page of templates.
   *
   * @param next the cursor of the next page; null after the last
   */
  public record TemplatePage(List<Template> items, @Nullable String next) {
    public TemplatePage {
      items = List.copyOf(items);
    }
  }

  public record GetTemplate(PipelineName name) {}

  /**
   * A request to create or change a template.
   *
   * @param project of a new template
   * @param document a JSON object
   * @param creates whether it may be created: Conflict when it exists already; else it must exist
   * @param ifRevision the revision that is to be changed; null for any
   * @param dryRun whether it is only checked
   */
  public record PutTemplate(
      Actor by,
      PipelineName name,
      ProjectName project,
      String document,
      boolean creates,
      @Nullable Long ifRevision,
      boolean dryRun) {
    /** Nothing of the document, whose environment may hold secrets. */
    @Override
    public String toString() {
      return "PutTemplate[" + name + "]";
    }
  }

  /**
   * The answer to {@link PutTemplate}.
   *
   * @param template null after a dry run of a new one
   * @param notices sentences about a document that is accepted
   */
  public record PutDone(@Nullable Template template, Outcome outcome, List<String> notices) {
    public PutDone {
      notices = List.copyOf(notices);
    }
  }

  public record OfTemplate(Actor by, PipelineName name) {}

  /**
   * A request to check arguments.
   *
   * @param arguments a JSON object
   */
  public record CheckArguments(PipelineName name, String arguments) {}

  /**
   * Arguments that are right.
   *
   * @param command the words that a task with them would run
   */
  public record Checked(List<String> command) {
    public Checked {
      command = List.copyOf(command);
    }
  }
}
