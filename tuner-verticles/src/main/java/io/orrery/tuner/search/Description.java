package io.orrery.tuner.search;

import java.util.List;
import java.util.Set;

/**
 * The entry of an algorithm in the catalogue.
 *
 * @param name as it is written; found whatever its case
 * @param aliases other names that NNI knows it by
 * @param summary one sentence
 * @param types the search space types that it takes, NNI's names, and {@link #NESTED}
 * @param options its {@code classArgs}
 * @param askAhead how many suggestions beyond the free slots may be asked for; 0 when each should
 *     know all results before it, {@link #ANY} when it learns nothing from results
 * @param severalObjectives whether it takes more than one
 */
public record Description(
    String name,
    List<String> aliases,
    String summary,
    Set<String> types,
    List<Option<?>> options,
    int askAhead,
    boolean severalObjectives) {

  /** A choice whose options carry parameters of their own. */
  public static final String NESTED = "nested";

  /** NNI's types, in the order of its documentation, and nested choices. */
  public static final List<String> ALL_TYPES =
      List.of(
          "choice",
          NESTED,
          "randint",
          "uniform",
          "quniform",
          "loguniform",
          "qloguniform",
          "normal",
          "qnormal",
          "lognormal",
          "qlognormal");

  /** As far ahead as anyone would hold suggestions in store. */
  public static final int ANY = 1_000;

  public Description {
    aliases = List.copyOf(aliases);
    types = Set.copyOf(types);
    options = List.copyOf(options);
  }

  /** Of an algorithm for one objective; one that learns nothing from results takes any number. */
  public Description(
      String name,
      List<String> aliases,
      String summary,
      Set<String> types,
      List<Option<?>> options,
      int askAhead) {
    this(name, aliases, summary, types, options, askAhead, askAhead == ANY);
  }
}
