package io.orrery.core.bus.contract;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.Address;
import io.orrery.core.bus.contract.People.Actor;
import io.orrery.core.bus.contract.People.Done;
import io.orrery.core.bus.contract.Services.Outcome;
import io.orrery.core.notebook.NotebookIde;
import io.orrery.core.notebook.NotebookName;
import io.orrery.core.notebook.NotebookStatus;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Questions about notebooks; the studio answers. */
public final class Notebooks {
  /** The most characters of a document. */
  public static final int MOST_CHARACTERS = 100_000;

  /** The most users with whom a notebook is shared. */
  public static final int MOST_SHARES = 100;

  /** The number of events that are kept for each notebook. */
  public static final int KEPT_EVENTS = 200;

  public static final Address<ListNotebooks, NotebookPage> LIST =
      new Address<>("notebooks.list", ListNotebooks.class, NotebookPage.class);

  public static final Address<GetNotebook, Notebook> GET =
      new Address<>("notebooks.get", GetNotebook.class, Notebook.class);

  /** Creates a notebook and starts it, or changes its document. Refused with all findings. */
  public static final Address<PutNotebook, PutDone> PUT =
      new Address<>("notebooks.put", PutNotebook.class, PutDone.class).waiting(Address.LONG);

  /** Ends a notebook and forgets it; the files of its owner stay. */
  public static final Address<OfNotebook, Done> DELETE =
      new Address<>("notebooks.delete", OfNotebook.class, Done.class);

  /** The notebooks that are stopped since a time, and were not used later. */
  public static final Address<AskStopped, StoppedList> STOPPED =
      new Address<>("notebooks.stopped", AskStopped.class, StoppedList.class);

  /** Forgets a notebook that is stopped since a time; Conflict when it is not. */
  public static final Address<DeleteStopped, Done> DELETE_STOPPED =
      new Address<>("notebooks.deleteStopped", DeleteStopped.class, Done.class);

  /** Starts a notebook by its present document; one that is started already stays as it is. */
  public static final Address<OfNotebook, Notebook> START =
      new Address<>("notebooks.start", OfNotebook.class, Notebook.class).waiting(Address.LONG);

  /** Ends the program of a notebook; its files stay. */
  public static final Address<OfNotebook, Notebook> STOP =
      new Address<>("notebooks.stop", OfNotebook.class, Notebook.class);

  /** Ends the program of a notebook, and starts it by its present document. */
  public static final Address<OfNotebook, Notebook> RESET =
      new Address<>("notebooks.reset", OfNotebook.class, Notebook.class).waiting(Address.LONG);

  /** Counts as a use of the notebook: it expires later. */
  public static final Address<OfNotebook, Notebook> RENEW =
      new Address<>("notebooks.renew", OfNotebook.class, Notebook.class);

  /** The last events of a notebook, oldest first. */
  public static final Address<EventsOf, Events> EVENTS =
      new Address<>("notebooks.events", EventsOf.class, Events.class);

  private Notebooks() {}

  /**
   * A notebook.
   *
   * @param document as it was written, a JSON object
   * @param share the users besides the owner who may enter it
   * @param audience of the passes of its origin
   * @param epoch of these passes
   */
  public record Notebook(
      NotebookName name,
      ProjectName project,
      String owner,
      String document,
      Instant createdAt,
      Instant changedAt,
      long revision,
      NotebookIde ide,
      List<String> share,
      String audience,
      long epoch,
      State state) {
    public Notebook {
      share = List.copyOf(share);
    }
  }

  /**
   * The state of a notebook.
   *
   * @param reason a sentence; null when there is nothing to say
   * @param exitCode of the program that ended last; null when none did
   * @param lastLines the end of what that program wrote
   * @param expiresAt when it is stopped unless it is used before; null when no program runs
   * @param since when it came into this status
   */
  public record State(
      NotebookStatus status,
      @Nullable String reason,
      @Nullable Integer exitCode,
      List<String> lastLines,
      @Nullable Instant expiresAt,
      Instant since) {
    public State {
      lastLines = List.copyOf(lastLines);
    }
  }

  /**
   * A request for a page of notebooks.
   *
   * @param among the projects whose notebooks may be seen; null for all
   * @param user whose own and shared notebooks may be seen besides
   * @param project null for any
   * @param owner null for any
   * @param text null, or what the name contains
   */
  public record ListNotebooks(
      @Nullable List<ProjectName> among,
      String user,
      @Nullable ProjectName project,
      @Nullable String owner,
      @Nullable String text,
      @Nullable String cursor,
      int limit) {
    public ListNotebooks {
      among = among == null ? null : List.copyOf(among);
    }
  }

  /**
   * A page of notebooks.
   *
   * @param next the cursor of the next page; null after the last
   */
  public record NotebookPage(List<Notebook> items, @Nullable String next) {
    public NotebookPage {
      items = List.copyOf(items);
    }
  }

  public record GetNotebook(NotebookName name) {}

  public record AskStopped(Instant before) {}

  public record DeleteStopped(Actor by, NotebookName name, Instant before) {}

  public record Stopped(NotebookName name, ProjectName project, Instant since) {}

  public record StoppedList(List<Stopped> items) {
    public StoppedList {
      items = List.copyOf(items);
    }
  }

  public record OfNotebook(Actor by, NotebookName name) {}

  /**
   * A request to create or change a notebook.
   *
   * @param project of a new notebook
   * @param document a JSON object
   * @param creates whether it may be created: Conflict when it exists already; else it must exist
   * @param ifRevision the revision that is to be changed; null for any
   * @param dryRun whether it is only checked
   */
  public record PutNotebook(
      Actor by,
      NotebookName name,
      ProjectName project,
      String document,
      boolean creates,
      @Nullable Long ifRevision,
      boolean dryRun) {
    /** Nothing of the document, whose environment may hold secrets. */
    @Override
    public String toString() {
      return "PutNotebook[" + name + "]";
    }
  }

  /**
   * The answer to {@link PutNotebook}.
   *
   * @param notebook null after a dry run of a new one
   * @param notices sentences about a document that is accepted
   */
  public record PutDone(@Nullable Notebook notebook, Outcome outcome, List<String> notices) {
    public PutDone {
      notices = List.copyOf(notices);
    }
  }

  public record EventsOf(NotebookName name) {}

  /**
   * A change of a notebook's state, or something that was done to it.
   *
   * @param state a status, or a word in capitals such as {@code WARNED}
   */
  public record Event(long number, Instant at, String state, @Nullable String reason) {}

  public record Events(List<Event> items) {
    public Events {
      items = List.copyOf(items);
    }
  }
}
