package io.orrery.core.experiment;

import io.orrery.core.space.ParameterShape;
import io.orrery.core.space.SearchSpace;
import io.orrery.core.trial.Parameters;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A tuner or assessor as asked for: built in by name, or a user's own Python class.
 *
 * @param name the built-in's name as its catalogue spells it, or null
 * @param className {@code module.Class} of the user's own, or null
 * @param codeDirectory absolute directory of the user's own, or null
 * @param classArgs its arguments, JSON values by name
 */
public record AlgorithmSpec(
    @Nullable String name,
    @Nullable String className,
    @Nullable String codeDirectory,
    Parameters classArgs) {

  /** What searches when a configuration names no tuner. */
  public static final String DEFAULT_TUNER = "Auto";

  /** A built-in algorithm without arguments. */
  public static AlgorithmSpec named(String name) {
    return new AlgorithmSpec(name, null, null, Parameters.EMPTY);
  }

  /**
   * Whether the search space is a list of whole parameter sets to it, each an option of one choice:
   * NNI's BatchTuner.
   */
  public boolean takesList() {
    return "Batch".equalsIgnoreCase(name) || "BatchTuner".equalsIgnoreCase(name);
  }

  /** What the parameters look like that it makes of a space. */
  public ParameterShape parameterShape(SearchSpace space) {
    return takesList()
        ? ParameterShape.ofList(space)
        : ParameterShape.of(space).with(addedParameters());
  }

  /** What a trial is told beside the parameters of the space: NNI's names. */
  private Set<String> addedParameters() {
    return switch (name == null ? "" : name.toLowerCase(Locale.ROOT)) {
      case "hyperband", "bohb" -> Set.of("TRIAL_BUDGET");
      case "pbt", "pbttuner" -> Set.of("load_checkpoint_dir", "save_checkpoint_dir");
      default -> Set.of();
    };
  }

  /** What to call it in lists and messages. */
  public String label() {
    if (name != null) {
      return name;
    }
    return className == null ? "?" : className;
  }
}
