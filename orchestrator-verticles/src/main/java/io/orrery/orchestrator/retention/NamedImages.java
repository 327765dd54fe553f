package io.orrery.orchestrator.retention;

import io.orrery.core.bus.contract.OldImages;
import io.orrery.core.image.ImageReference;
import io.orrery.core.image.ImageWords;
import io.orrery.core.sql.Store;
import io.orrery.core.sql.TextMentions;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The images that frozen specifications of the orchestrator, or the configuration, name. */
public final class NamedImages {
  private final TextMentions mentions;
  private final List<String> configured;

  /**
   * Those of a store.
   *
   * @param store of the orchestrator
   * @param configured the images that the configuration names
   */
  public NamedImages(Store store, Collection<String> configured) {
    this.mentions = new TextMentions(store, StoredNames.PLACES);
    this.configured = List.copyOf(configured);
  }

  /** Finds the texts that name images. */
  public Future<OldImages.Named> of(OldImages.AskNamed asked) {
    ImageWords words =
        new ImageWords(
            asked.images().stream()
                .map(ImageReference::parse)
                .flatMap(Optional::stream)
                .filter(image -> image.digest() != null)
                .toList());
    return mentions
        .find(words.parts(), words::in)
        .map(found -> {
          Map<String, String> users = new HashMap<>(found);
          for (String image : configured) {
            words.in(image).forEach(word -> users.put(word, "the configuration"));
          }
          return new OldImages.Named(users);
        });
  }
}
