package io.orrery.core.bus.contract;

import io.orrery.core.access.ProjectName;
import io.orrery.core.artifact.ArtifactFile;
import io.orrery.core.bus.Address;
import io.orrery.core.bus.contract.People.Actor;
import io.orrery.core.bus.contract.People.Done;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.model.ModelAlias;
import io.orrery.core.model.ModelName;
import io.orrery.core.model.ModelStage;
import io.orrery.core.model.VersionName;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Questions about the model registry; the studio answers. */
public final class Models {
  /** The most characters of a description, or of a version's metrics as JSON. */
  public static final int MOST_TEXT = 10_000;

  /** The most tags of a model or version. */
  public static final int MOST_TAGS = 100;

  public static final Address<ListModels, ModelPage> LIST =
      new Address<>("models.list", ListModels.class, ModelPage.class);

  public static final Address<GetModel, Model> GET =
      new Address<>("models.get", GetModel.class, Model.class);

  /** Creates a model, or changes its description and tags. */
  public static final Address<PutModel, Model> PUT =
      new Address<>("models.put", PutModel.class, Model.class);

  /** Renames a model; Conflict while a service uses it. */
  public static final Address<Rename, Model> RENAME =
      new Address<>("models.rename", Rename.class, Model.class);

  /** Deletes a model with its versions and aliases; Conflict while a service uses it. */
  public static final Address<OfModel, Done> DELETE =
      new Address<>("models.delete", OfModel.class, Done.class);

  /** The versions of models, the newest of each first. */
  public static final Address<ListVersions, VersionPage> VERSIONS =
      new Address<>("models.versions", ListVersions.class, VersionPage.class);

  public static final Address<GetVersion, Version> VERSION =
      new Address<>("models.version", GetVersion.class, Version.class);

  /** Registers a version. Refused with all findings; Conflict when there is one of its name. */
  public static final Address<RegisterVersion, Version> REGISTER =
      new Address<>("models.register", RegisterVersion.class, Version.class).waiting(Address.LONG);

  public static final Address<ChangeVersion, Version> CHANGE_VERSION =
      new Address<>("models.changeversion", ChangeVersion.class, Version.class);

  /** Deletes a version; Conflict, with the names, while a service or an alias uses it. */
  public static final Address<OfVersion, Done> DELETE_VERSION =
      new Address<>("models.deleteversion", OfVersion.class, Done.class);

  /** Points an alias to a version, wherever it pointed before. */
  public static final Address<SetAlias, Model> SET_ALIAS =
      new Address<>("models.setalias", SetAlias.class, Model.class);

  /** Removes an alias; Conflict while a service uses it. */
  public static final Address<DropAlias, Model> DROP_ALIAS =
      new Address<>("models.dropalias", DropAlias.class, Model.class);

  /** The version that a name and an alias, or a version's name, stand for at this moment. */
  public static final Address<Resolve, Resolved> RESOLVE =
      new Address<>("models.resolve", Resolve.class, Resolved.class);

  private Models() {}

  /** The tree of a version's files. */
  public static String tree(String id) {
    return "model/" + id;
  }

  /**
   * A model.
   *
   * @param aliases the version that each points to
   * @param latest the version that was registered last; null while there is none
   */
  public record Model(
      ModelName name,
      ProjectName project,
      String owner,
      String description,
      Map<String, String> tags,
      Map<ModelAlias, VersionName> aliases,
      @Nullable VersionName latest,
      Instant createdAt,
      Instant changedAt,
      long revision) {
    public Model {
      tags = Map.copyOf(tags);
      aliases = Map.copyOf(aliases);
    }
  }

  /**
   * A version of a model.
   *
   * @param number counts the versions of the model in the order in which they came, from 1
   * @param project of the model
   * @param owner who registered it
   * @param id names the tree of its files: {@link Models#tree}
   * @param content where its files are
   * @param about what its author says of it
   */
  public record Version(
      ModelName model,
      VersionName version,
      long number,
      ProjectName project,
      String owner,
      String id,
      Content content,
      About about,
      List<ModelAlias> aliases,
      Instant createdAt,
      Instant changedAt,
      long revision) {
    public Version {
      aliases = List.copyOf(aliases);
    }
  }

  /**
   * The place of a version's files: a path or URL that its author names, or files that are kept by
   * content.
   *
   * @param path null when the files are kept here
   * @param digest SHA-256 over the list of files, as {@code sha256sum} prints it in the order of
   *     their paths; null when a path is named
   * @param files how many
   * @param bytes of all files together
   */
  public record Content(@Nullable String path, @Nullable String digest, int files, long bytes) {}

  /**
   * The part of a version that its author may change, apart from its source.
   *
   * @param source a JSON object with {@code experiment} and {@code trial}, {@code run} and {@code
   *     step} or {@code path}; empty when nothing is known
   * @param metrics a JSON object of numbers
   */
  public record About(
      ModelStage stage,
      String description,
      String framework,
      String metrics,
      String source,
      Map<String, String> tags) {
    public About {
      tags = Map.copyOf(tags);
    }
  }

  /**
   * A request for a page of models, in the order of their names.
   *
   * @param among the projects whose models may be seen; null for all
   * @param text null, or what the name contains
   */
  public record ListModels(
      @Nullable List<ProjectName> among,
      @Nullable String owner,
      @Nullable String text,
      @Nullable String cursor,
      int limit) {
    public ListModels {
      among = among == null ? null : List.copyOf(among);
    }
  }

  /**
   * A page of models.
   *
   * @param next the cursor of the next page; null after the last
   */
  public record ModelPage(List<Model> items, @Nullable String next) {
    public ModelPage {
      items = List.copyOf(items);
    }
  }

  public record GetModel(ModelName name) {}

  /**
   * A request to create or change a model.
   *
   * @param project of a new model
   * @param creates whether it may be created: Conflict when it exists already; else it must exist
   * @param ifRevision the revision that is to be changed; null for any
   * @param dryRun whether it is only checked
   */
  public record PutModel(
      Actor by,
      ModelName name,
      ProjectName project,
      String description,
      Map<String, String> tags,
      boolean creates,
      @Nullable Long ifRevision,
      boolean dryRun) {
    public PutModel {
      tags = Map.copyOf(tags);
    }
  }

  public record Rename(Actor by, ModelName name, ModelName to) {}

  public record OfModel(Actor by, ModelName name) {}

  /**
   * A request for a page of versions.
   *
   * @param model null for those of all models
   * @param among the projects whose models may be seen; null for all
   */
  public record ListVersions(
      @Nullable ModelName model,
      @Nullable List<ProjectName> among,
      @Nullable String cursor,
      int limit) {
    public ListVersions {
      among = among == null ? null : List.copyOf(among);
    }
  }

  /**
   * A page of versions.
   *
   * @param next the cursor of the next page; null after the last
   */
  public record VersionPage(List<Version> items, @Nullable String next) {
    public VersionPage {
      items = List.copyOf(items);
    }
  }

  public record GetVersion(ModelName model, VersionName version) {}

  /**
   * A request to register a version. It has a path, files that were uploaded, or files that are
   * taken from a trial or a run.
   *
   * @param project of the model, when that is created
   * @param createsModel whether the model is created when there is none
   * @param version null for its number
   * @param aliases that are pointed to it
   * @param dryRun whether it is only checked
   */
  public record RegisterVersion(
      Actor by,
      ModelName model,
      ProjectName project,
      boolean createsModel,
      @Nullable VersionName version,
      @Nullable String path,
      List<ArtifactFile> files,
      @Nullable FromTrial trial,
      @Nullable FromRun run,
      About about,
      List<ModelAlias> aliases,
      boolean dryRun) {
    public RegisterVersion {
      files = List.copyOf(files);
      aliases = List.copyOf(aliases);
    }
  }

  /**
   * The files that a trial left.
   *
   * @param trial null for the best one
   * @param path only this file, or those below this directory; empty for all
   */
  public record FromTrial(ExperimentId experiment, @Nullable TrialId trial, String path) {}

  /**
   * The artifacts of the run of a tracking client.
   *
   * @param path only this file, or those below this directory; empty for all
   */
  public record FromRun(String run, String path) {}

  /**
   * A request to change a version.
   *
   * @param about with the source that it has
   * @param ifRevision the revision that is to be changed; null for any
   */
  public record ChangeVersion(
      Actor by,
      ModelName model,
      VersionName version,
      About about,
      @Nullable Long ifRevision,
      boolean dryRun) {}

  public record OfVersion(Actor by, ModelName model, VersionName version) {}

  public record SetAlias(Actor by, ModelName model, ModelAlias alias, VersionName version) {}

  public record DropAlias(Actor by, ModelName model, ModelAlias alias) {}

  /**
   * A question for a version; either of the two is given.
   *
   * @param version null for the one of the alias
   */
  public record Resolve(
      ModelName model, @Nullable VersionName version, @Nullable ModelAlias alias) {}

  /**
   * A version that is to be used.
   *
   * @param id names the tree of its files: {@link Models#tree}
   */
  public record Resolved(
      ModelName model,
      VersionName version,
      ProjectName project,
      String owner,
      String id,
      Content content) {}
}
