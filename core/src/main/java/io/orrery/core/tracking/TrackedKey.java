package io.orrery.core.tracking;

/**
 * The names of metrics, parameters and tags as MLflow's API takes them: letters, digits and {@code
 * _-. :/}, 1 to {@value #MOST} of them, and no path that begins or ends with a slash or has a part
 * {@code .} or {@code ..}.
 */
public final class TrackedKey {
  /** The most characters. */
  public static final int MOST = 250;

  private TrackedKey() {}

  /** Whether a name is taken. */
  public static boolean isValid(String key) {
    boolean path = !key.startsWith("/") && !key.endsWith("/");
    for (String part : key.split("/", -1)) {
      path &= !part.equals(".") && !part.equals("..");
    }
    return path
        && !key.isBlank()
        && key.length() <= MOST
        && key.chars().allMatch(TrackedKey::isAllowed);
  }

  private static boolean isAllowed(int c) {
    return Character.isLetterOrDigit(c) || "_-. :/".indexOf(c) >= 0;
  }

  /**
   * The name of another tracker, which may take more, as one that is taken: {@code mAP@0.5} becomes
   * {@code mAP_0.5}.
   */
  public static String of(String foreign) {
    if (isValid(foreign)) {
      return foreign;
    }
    StringBuilder key = new StringBuilder();
    foreign.chars().limit(MOST).forEach(c -> key.append(isAllowed(c) ? (char) c : '_'));
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
