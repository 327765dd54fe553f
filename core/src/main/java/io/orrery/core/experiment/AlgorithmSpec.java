package io.orrery.core.experiment;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.orrery.core.space.ParameterShape;
import io.orrery.core.space.SearchSpace;
import io.orrery.core.trial.Parameters;
import java.util.List;
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
 * @param multiThread whether a tuner that is a user's own makes each parameter set in a thread of
 *     its own, and hears of results meanwhile
 */
public record AlgorithmSpec(
    @Nullable String name,
    @Nullable String className,
    @Nullable String codeDirectory,
    Parameters classArgs,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean multiThread) {

  /** What searches when a configuration names no tuner. */
  public static final String DEFAULT_TUNER = "Auto";

  /** Before the name of an algorithm that is to run in NNI's own dispatcher. */
  public static final String OF_NNI = "nni:";

  /** Tuners that NNI has and this product has not, in lower case. */
  private static final Set<String> ONLY_NNI_HAS =
      Set.of(
          "tpe_legacy",
          "dngo",
          "dngotuner",
          "ppo",
          "ppotuner",
          "networkmorphism",
          "regularizedevolutiontuner");

  /** An algorithm whose methods are called one after the other. */
  public AlgorithmSpec(
      @Nullable String name,
      @Nullable String className,
      @Nullable String codeDirectory,
      Parameters classArgs) {
    this(name, className, codeDirectory, classArgs, false);
  }

  /** A built-in algorithm without arguments. */
  public static AlgorithmSpec named(String name) {
    return new AlgorithmSpec(name, null, null, Parameters.EMPTY);
  }

  /**
   * Whether it runs in NNI's own dispatcher: it is a tuner that only NNI has, or {@link #OF_NNI}
   * stands before its name.
   */
  public boolean isStock() {
    return name != null
        && (name.regionMatches(true, 0, OF_NNI, 0, OF_NNI.length())
            || ONLY_NNI_HAS.contains(name.toLowerCase(Locale.ROOT)));
  }

  /**
   * Whether it was not written for this product, so that it alone knows what its search space may
   * look like.
   */
  public boolean isForeign() {
    return className != null || isStock();
  }

  /** The name without what says where it runs; empty for a class of the user's own. */
  public String bareName() {
    if (name == null) {
      return "";
    }
    return name.regionMatches(true, 0, OF_NNI, 0, OF_NNI.length())
        ? name.substring(OF_NNI.length())
        : name;
  }

  /**
   * Whether the search space is a list of whole parameter sets to it, each an option of one choice:
   * NNI's BatchTuner.
   */
  public boolean takesList() {
    return List.of("batch", "batchtuner").contains(bareName().toLowerCase(Locale.ROOT));
  }

  /** What the parameters look like that it makes of a space. */
  public ParameterShape parameterShape(SearchSpace space) {
    return takesList()
        ? ParameterShape.ofList(space)
        : ParameterShape.of(space).with(addedParameters());
  }

  /** What a trial is told beside the parameters of the space: NNI's names. */
  private Set<String> addedParameters() {
    return switch (bareName().toLowerCase(Locale.ROOT)) {
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
