package io.orrery.tuner.search;

import io.orrery.core.json.Pointer;
import io.orrery.core.problem.Finding;
import io.orrery.core.text.Nearest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An algorithm's {@code classArgs}, read by its options: typed, within bounds, none unknown. */
public final class Arguments {
  /** Nothing given: every option at its default. */
  public static final Arguments NONE = new Arguments(Map.of());

  private final Map<Option<?>, Object> given;

  private Arguments(Map<Option<?>, Object> given) {
    this.given = Map.copyOf(given);
  }

  /**
   * Reads JSON values. A null counts as not given, as everywhere in NNI's configuration, unless the
   * option has a meaning for it.
   *
   * @param pointer where in the experiment's document they stand
   * @param findings receives everything that is wrong
   * @return what could be read
   */
  public static Arguments read(
      List<Option<?>> options, Map<?, ?> json, String pointer, List<Finding> findings) {
    Map<Option<?>, Object> given = new HashMap<>();
    json.forEach((key, value) -> {
      String name = String.valueOf(key);
      String at = Pointer.child(pointer, name);
      Option<?> option = named(name, options);
      if (option == null) {
        findings.add(new Finding(at, unknown(name, options)));
      } else {
        Shape<?> shape = option.shape();
        Object read = value == null ? shape.ofNull() : shape.read(value, at, findings);
        if (read != null) {
          given.put(option, read);
        }
      }
    });
    return new Arguments(given);
  }

  /** The value that was given. */
  @SuppressWarnings("unchecked") // an option's value was read by its own shape
  public <T> Optional<T> find(Option<T> option) {
    return Optional.ofNullable((T) given.get(option));
  }

  /** The value that was given, else the option's default, which it must have. */
  public <T> T get(Option<T> option) {
    T standard = option.standard();
    return find(option)
        .or(() -> Optional.ofNullable(standard))
        .orElseThrow(() -> new IllegalStateException(option.name() + " has no default"));
  }

  private static @Nullable Option<?> named(String name, List<Option<?>> options) {
    return options.stream().filter(o -> o.name().equals(name)).findFirst().orElse(null);
  }

  private static String unknown(String name, List<Option<?>> options) {
    List<String> names = options.stream().map(Option::name).toList();
    return "there is no argument '"
        + name
        + "'"
        + Nearest.hint(name, names)
        + "; there is "
        + String.join(", ", names);
  }
}
