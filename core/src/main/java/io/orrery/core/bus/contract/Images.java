package io.orrery.core.bus.contract;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.Address;
import io.orrery.core.bus.contract.People.Actor;
import io.orrery.core.bus.contract.People.Done;
import io.orrery.core.bus.contract.Services.Outcome;
import io.orrery.core.digest.Sha256;
import io.orrery.core.image.ImageState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Questions about the catalogue of images; the studio answers. */
public final class Images {
  /** The most images of a project. */
  public static final int MOST_IMAGES = 1_000;

  /** The most characters of a description. */
  public static final int MOST_DESCRIPTION = 2_000;

  private static final int ID_CHARACTERS = 16;
  private static final Duration REMOTE = Duration.ofSeconds(45);

  public static final Address<ListImages, ImageList> LIST =
      new Address<>("images.list", ListImages.class, ImageList.class);

  public static final Address<GetImage, CatalogImage> GET =
      new Address<>("images.get", GetImage.class, CatalogImage.class);

  /**
   * Adds an image with the digest that its registry has now, or takes that digest for one that is
   * known; Refused when the registry does not have it or cannot be asked.
   */
  public static final Address<AddImage, AddImageDone> ADD =
      new Address<>("images.add", AddImage.class, AddImageDone.class, REMOTE);

  /** Asks the registry whether an image is still there. */
  public static final Address<GetImage, CatalogImage> CHECK =
      new Address<>("images.check", GetImage.class, CatalogImage.class, REMOTE);

  public static final Address<DeleteImage, Done> DELETE =
      new Address<>("images.delete", DeleteImage.class, Done.class);

  private Images() {}

  /** The id of an image in the catalogue of a project. */
  public static String id(ProjectName project, String name) {
    return Sha256.hex(project + " " + name).substring(0, ID_CHARACTERS);
  }

  /**
   * An image of the catalogue.
   *
   * @param id made of the project and the name
   * @param name in full, with host and tag
   * @param digest that it had when it was added
   * @param state at the last look
   * @param presentDigest that its tag had at the last look; null when it was not found
   * @param reason a sentence on the state; null when it is PRESENT
   */
  public record CatalogImage(
      String id,
      ProjectName project,
      String owner,
      String name,
      String description,
      String digest,
      ImageState state,
      @Nullable String presentDigest,
      @Nullable String reason,
      Instant checkedAt,
      Instant createdAt,
      Instant changedAt,
      long revision) {}

  /**
   * A request for images.
   *
   * @param among the projects whose images may be seen; null for all
   */
  public record ListImages(
      @Nullable List<ProjectName> among,
      @Nullable String owner,
      @Nullable String q,
      @Nullable ImageState state) {
    public ListImages {
      among = among == null ? null : List.copyOf(among);
    }
  }

  public record ImageList(List<CatalogImage> items) {
    public ImageList {
      items = List.copyOf(items);
    }
  }

  public record GetImage(String id) {}

  /**
   * A request to add an image.
   *
   * @param description null to leave it as it is
   * @param dryRun whether it is only checked
   */
  public record AddImage(
      Actor by, ProjectName project, String name, @Nullable String description, boolean dryRun) {}

  public record AddImageDone(CatalogImage image, Outcome outcome) {}

  public record DeleteImage(Actor by, String id) {}
}
