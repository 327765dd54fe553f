package io.orrery.core.model;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The stage of a model's version, as its author judges it; MLflow has the same four. */
public enum ModelStage {
  NONE,
  STAGING,
  PRODUCTION,
  ARCHIVED;

  /** The stage as it is written: in lower case. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The words of all stages. */
  public static List<String> words() {
    return Arrays.stream(values()).map(ModelStage::word).toList();
  }

  /** The stage of a word in any case; empty when there is none. */
  public static Optional<ModelStage> of(String word) {
    return Arrays.stream(values()).filter(stage -> stage.word().equalsIgnoreCase(word)).findFirst();
  }
}
