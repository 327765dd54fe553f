package io.orrery.core.route;

/**
 * The name that a new generation of a service has among the services of a route table, while it
 * gets a share of its requests: {@code hello.g7}.
 */
public final class GenerationRouteName {
  private GenerationRouteName() {}

  /**
   * The name for a generation.
   *
   * @param service the name in the table of the one that gives the share
   */
  public static String of(String service, long generation) {
    return service + ".g" + generation;
  }
}
