package io.orrery.orchestrator.retention;

/**
 * The file {@code .lock} in the directory of an environment, by whose lock its builds and its
 * removal take turns.
 */
public final class EnvironmentLock {
  private EnvironmentLock() {}

  /**
   * The lines of a shell that open it as descriptor 9. Programs of builds write in the directory,
   * and may have left something else in its place, which is removed: the opening of a FIFO would
   * wait for ever, and a link would lead out of the directory.
   *
   * @param directory of the environment, as a parameter of the shell, such as {@code $1}
   */
  public static String open(String directory) {
    String lock = "\"%s/.lock\"".formatted(directory);
    return """
    if [ -L %1$s ] || [ ! -f %1$s ]; then
      rm -rf %1$s
    fi
    exec 9>>%1$s\
    """
        .formatted(lock);
  }
}
