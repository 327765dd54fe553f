package io.orrery.compute.registry;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A way to log in that a registry names in {@code WWW-Authenticate}.
 *
 * @param scheme in lower case
 */
record Challenge(String scheme, Map<String, String> parameters) {
  private static final int MOST = 4_096;
  private static final Pattern SCHEME = Pattern.compile("\\s*([A-Za-z]+)(?:\\s|$)");
  private static final Pattern PARAMETER = Pattern.compile("([a-z_]+)=\"([^\"]*)\"");

  Challenge {
    parameters = Map.copyOf(parameters);
  }

  /** The best one that is understood: Bearer before Basic; empty when there is none. */
  static Optional<Challenge> best(List<String> headers) {
    List<Challenge> all = headers.stream().map(Challenge::read).flatMap(Optional::stream).toList();
    return all.stream()
        .filter(each -> each.scheme.equals("bearer") && each.parameters.containsKey("realm"))
        .findFirst()
        .or(() -> all.stream().filter(each -> each.scheme.equals("basic")).findFirst());
  }

  private static Optional<Challenge> read(String header) {
    Matcher scheme = SCHEME.matcher(header);
    if (header.length() > MOST || !scheme.lookingAt()) {
      return Optional.empty();
    }
    Map<String, String> parameters = new HashMap<>();
    Matcher parameter = PARAMETER.matcher(header);
    while (parameter.find()) {
      parameters.putIfAbsent(parameter.group(1), parameter.group(2));
    }
    return Optional.of(new Challenge(scheme.group(1).toLowerCase(Locale.ROOT), parameters));
  }
}
