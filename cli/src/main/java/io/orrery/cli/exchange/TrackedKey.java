package io.orrery.cli.exchange;

/**
 * Names metrics, parameters and tags of other trackers as MLflow's API takes them: letters, digits
 * and {@code _-. :/}, 1 to 250 of them, in parts of a path. Other trackers take more, such as
 * {@code mAP@0.5}; each character that is refused becomes an underscore.
 */
final class TrackedKey {
  private static final int MOST = 250;

  private TrackedKey() {}

  static String of(String foreign) {
    StringBuilder key = new StringBuilder();
    foreign
        .chars()
        .limit(MOST)
        .forEach(c ->
            key.append(Character.isLetterOrDigit(c) || "_-. :/".indexOf(c) >= 0 ? (char) c : '_'));
    String[] parts = key.toString().split("/", -1);
    for (int i = 0; i < parts.length; i++) {
      boolean outer = i == 0 || i == parts.length - 1;
      if (parts[i].equals(".") || parts[i].equals("..") || (outer && parts[i].isBlank())) {
        parts[i] = "_";
      }
    }
    String whole = String.join("/", parts);
    return whole.length() > MOST ? whole.substring(0, MOST - 1) + "_" : whole;
  }
}
