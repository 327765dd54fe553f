package io.orrery.core.bus.contract;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.Address;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Questions about images that builds have pushed and that may be removed; the orchestrator, which
 * has the logins of registries, answers. An image is written {@code host/repository@digest}.
 */
public final class OldImages {
  /** Longer than a request for each of the tags of a repository takes. */
  private static final Duration MANY = Duration.ofMinutes(30);

  /** Longer than three requests to a registry with their limits. */
  private static final Duration REMOTE = Duration.ofSeconds(40);

  /** Asks which of the orchestrator's texts, and of the configuration, name images. */
  public static final Address<AskNamed, Named> NAMED =
      new Address<>("images.named", AskNamed.class, Named.class).waiting(Address.LONG);

  /** The tags under which a registry has an image. */
  public static final Address<FindTags, FoundTags> TAGS =
      new Address<>("images.tags", FindTags.class, FoundTags.class).waiting(MANY);

  /** Removes an image from its registry, under all tags that it has there. */
  public static final Address<RemoveImage, ImageRemoved> REMOVE =
      new Address<>("images.remove", RemoveImage.class, ImageRemoved.class).waiting(REMOTE);

  private OldImages() {}

  /** A question what names images. */
  public record AskNamed(List<String> images) {
    public AskNamed {
      images = List.copyOf(images);
    }
  }

  /**
   * The words that name images.
   *
   * @param users what has each word of {@link io.orrery.core.image.ImageWords}
   */
  public record Named(Map<String, String> users) {
    public Named {
      users = Map.copyOf(users);
    }
  }

  /** A question for the tags of an image, with an account of a project. */
  public record FindTags(ProjectName project, String image) {}

  /**
   * The tags of an image.
   *
   * @param holder the tag of an index that has the image as a part; null for none
   * @param reason a sentence why the registry could not be asked; null when it was
   */
  public record FoundTags(List<String> tags, @Nullable String holder, @Nullable String reason) {
    public FoundTags {
      tags = List.copyOf(tags);
    }
  }

  /** A request to remove an image, with an account of a project. */
  public record RemoveImage(ProjectName project, String image) {}

  /**
   * The outcome of a removal.
   *
   * @param reason a sentence why the image is still there; null when it is gone
   */
  public record ImageRemoved(@Nullable String reason) {}
}
