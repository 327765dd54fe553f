package io.orrery.core.bus.contract;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.bus.Address;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Questions about where trials can run; the orchestrator answers. */
public final class TrainingServices {
  /** All platforms that this server has, with the keys of their section in a configuration. */
  public static final Address<ListAll, Catalogue> LIST =
      new Address<>("platforms.list", ListAll.class, Catalogue.class);

  private TrainingServices() {}

  public record ListAll() {}

  public record Catalogue(List<Platform> platforms) {
    public Catalogue {
      platforms = List.copyOf(platforms);
    }
  }

  public record Platform(String name, String summary, List<Option> options) {
    public Platform {
      options = List.copyOf(options);
    }
  }

  /**
   * One key.
   *
   * @param type in words: {@code text}, {@code integer}, {@code duration}, {@code list of text} …
   * @param standard what it is when not set, null for nothing
   * @param note why setting it does nothing here, null when it works
   * @param words what a value may be when it is one of some words, else empty
   * @param options the keys inside, when it is a section or a list of sections
   */
  public record Option(
      String name,
      String type,
      boolean required,
      @Nullable JsonNode standard,
      String meaning,
      @Nullable String note,
      List<String> words,
      List<Option> options) {
    public Option {
      words = List.copyOf(words);
      options = List.copyOf(options);
    }
  }
}
