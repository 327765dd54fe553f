package io.orrery.core.route;

/**
 * The name that a new generation of a service has among the services of a route table, while it
 * gets a share of its requests: {@code hello.g7}.
 */
public final class GenerationRouteName {
  private static final String INFIX = ".g";

  private GenerationRouteName() {}

  /**
   * The name for a generation.
   *
   * @param service the name in the table of the one that gives the share
   */
  public static String of(String service, long generation) {
    return service + INFIX + generation;
  }

  /** Whether a name is that of a service, or of a generation of it. */
  public static boolean isOf(String service, String name) {
    return name.equals(service) || name.startsWith(service + INFIX);
  }
}
