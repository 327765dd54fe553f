package io.orrery.core.bus.contract;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.Address;
import io.orrery.core.bus.contract.People.Actor;
import io.orrery.core.bus.contract.People.Done;
import io.orrery.core.bus.contract.Services.Outcome;
import io.orrery.core.run.PipelineName;
import io.orrery.core.run.RunId;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Questions about pipelines; the studio answers. */
public final class Pipelines {
  /** The most characters of a document. */
  public static final int MOST_CHARACTERS = 1_000_000;

  /** The number of versions that are kept for each pipeline. */
  public static final int KEPT_VERSIONS = 1_000;

  /** The characters of the documents of a pipeline that are kept as versions. */
  public static final long KEPT_CHARACTERS = 64_000_000;

  public static final Address<ListPipelines, PipelinePage> LIST =
      new Address<>("pipelines.list", ListPipelines.class, PipelinePage.class);

  public static final Address<GetPipeline, Pipeline> GET =
      new Address<>("pipelines.get", GetPipeline.class, Pipeline.class);

  /** Stores a document as the next version of a pipeline. Refused with all findings. */
  public static final Address<PutPipeline, PutDone> PUT =
      new Address<>("pipelines.put", PutPipeline.class, PutDone.class).waiting(Address.LONG);

  /** Forgets a pipeline with its versions; its runs stay. */
  public static final Address<OfPipeline, Done> DELETE =
      new Address<>("pipelines.delete", OfPipeline.class, Done.class);

  /** The versions of a pipeline, newest first. */
  public static final Address<VersionsOf, Versions> VERSIONS =
      new Address<>("pipelines.versions", VersionsOf.class, Versions.class);

  /** Freezes a version into a run, which then goes by itself. Refused with all findings. */
  public static final Address<Start, Started> RUN =
      new Address<>("pipelines.run", Start.class, Started.class).waiting(Address.LONG);

  /** Runs one task, or opens it for shells; its inputs are outputs of an earlier run. */
  public static final Address<StartTask, Started> RUN_TASK =
      new Address<>("pipelines.runTask", StartTask.class, Started.class).waiting(Address.LONG);

  /** Checks a task as {@link #RUN_TASK} does; answers without an id. */
  public static final Address<StartTask, Started> CHECK_TASK =
      new Address<>("pipelines.checkTask", StartTask.class, Started.class).waiting(Address.LONG);

  /** The present version as an Argo Workflow; Refused with what cannot be one. */
  public static final Address<Export, Exported> EXPORT =
      new Address<>("pipelines.export", Export.class, Exported.class).waiting(Address.LONG);

  /** The resources that tasks could ask for, by the use of their steps. */
  public static final Address<GetAdvice, Advice> ADVICE =
      new Address<>("pipelines.advice", GetAdvice.class, Advice.class);

  /** Deletes a run that is over; Conflict when something refers to it. */
  public static final Address<DeleteRun, Done> DELETE_RUN =
      new Address<>("pipelines.deleteRun", DeleteRun.class, Done.class).waiting(Address.LONG);

  /** Whether a run could be deleted, once it is over; Conflict when something refers to it. */
  public static final Address<DeleteRun, Done> CHECK_DELETE_RUN =
      new Address<>("pipelines.checkDeleteRun", DeleteRun.class, Done.class);

  private Pipelines() {}

  /**
   * A pipeline.
   *
   * @param document as it was written, a JSON object
   * @param revision the number of the present version
   */
  public record Pipeline(
      PipelineName name,
      ProjectName project,
      String owner,
      String document,
      Instant createdAt,
      Instant changedAt,
      long revision) {}

  /**
   * A request for a page of pipelines.
   *
   * @param among the projects whose pipelines may be seen; null for all
   * @param text null, or what the name contains
   */
  public record ListPipelines(
      @Nullable List<ProjectName> among,
      @Nullable String owner,
      @Nullable String text,
      @Nullable String cursor,
      int limit) {
    public ListPipelines {
      among = among == null ? null : List.copyOf(among);
    }
  }

  /**
   * A page of pipelines.
   *
   * @param next the cursor of the next page; null after the last
   */
  public record PipelinePage(List<Pipeline> items, @Nullable String next) {
    public PipelinePage {
      items = List.copyOf(items);
    }
  }

  public record GetPipeline(PipelineName name) {}

  /**
   * A request to create or change a pipeline.
   *
   * @param project of a new pipeline
   * @param document a JSON object
   * @param creates whether it may be created: Conflict when it exists already; else it must exist
   * @param ifRevision the version that is to be changed; null for any
   * @param dryRun whether it is only checked
   */
  public record PutPipeline(
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
      return "PutPipeline[" + name + "]";
    }
  }

  /**
   * The answer to {@link PutPipeline}.
   *
   * @param pipeline null after a dry run of a new one
   * @param notices sentences about a document that is accepted
   */
  public record PutDone(@Nullable Pipeline pipeline, Outcome outcome, List<String> notices) {
    public PutDone {
      notices = List.copyOf(notices);
    }
  }

  public record OfPipeline(Actor by, PipelineName name) {}

  public record GetAdvice(PipelineName name) {}

  /** The tasks whose steps were measured. */
  public record Advice(List<TaskAdvice> items) {
    public Advice {
      items = List.copyOf(items);
    }
  }

  /**
   * A suggestion for a task, with what its steps have used.
   *
   * @param runs in which it was measured
   * @param memory the most bytes of a step
   * @param cpuMillis the most thousandths of a processor, on average over a step
   * @param suggested words for {@code resources} that would do, by their keys; empty for none
   * @param words a sentence about each of them
   */
  public record TaskAdvice(
      String task,
      int runs,
      long memory,
      long cpuMillis,
      Map<String, String> suggested,
      List<String> words) {
    public TaskAdvice {
      suggested = Collections.unmodifiableMap(new LinkedHashMap<>(suggested));
      words = List.copyOf(words);
    }
  }

  /**
   * A question for versions.
   *
   * @param before only older ones; null from the newest on
   * @param limit of the page, which is shorter when its documents are long
   */
  public record VersionsOf(PipelineName name, @Nullable Long before, int limit) {}

  /** A document that a pipeline had. */
  public record Version(long version, Instant at, String by, String document) {}

  /**
   * A page of versions, newest first.
   *
   * @param next the version that the next page is before; null after the oldest
   */
  public record Versions(List<Version> items, @Nullable Long next) {
    public Versions {
      items = List.copyOf(items);
    }
  }

  /**
   * A request to start a run.
   *
   * @param version null for the present one
   * @param parameters a JSON object
   * @param cached whether steps may take outputs of earlier runs
   * @param dryRun whether it is only checked
   */
  public record Start(
      Actor by,
      PipelineName name,
      @Nullable Long version,
      String parameters,
      boolean cached,
      boolean dryRun) {}

  /**
   * A request to run one task.
   *
   * @param version null for the present one
   * @param parameters a JSON object
   * @param from the run whose outputs it is given; null for the newest that has them
   * @param debug whether a program for shells is started in place of the task's
   */
  public record StartTask(
      Actor by,
      PipelineName name,
      String task,
      @Nullable Long version,
      String parameters,
      @Nullable RunId from,
      boolean debug) {}

  /**
   * A request for an Argo Workflow.
   *
   * @param parameters a JSON object
   * @param image of tasks that name none
   */
  public record Export(Actor by, PipelineName name, String parameters, String image) {}

  /**
   * An Argo Workflow.
   *
   * @param workflow a JSON object
   * @param notices sentences on what it lacks
   */
  public record Exported(String workflow, List<String> notices) {
    public Exported {
      notices = List.copyOf(notices);
    }

    /** Nothing of the workflow, whose environment may hold secrets. */
    @Override
    public String toString() {
      return "Exported[" + notices + "]";
    }
  }

  public record DeleteRun(Actor by, RunId run) {}

  /**
   * A run that was started.
   *
   * @param id null after a dry run
   */
  public record Started(@Nullable RunId id, List<String> notices) {
    public Started {
      notices = List.copyOf(notices);
    }
  }
}
