package io.orrery.orchestrator.build;

/** A failure of a build, with a sentence for the person who started it. */
final class BuildException extends Exception {
  private static final long serialVersionUID = 1L;

  BuildException(String reason) {
    super(reason, null, false, false);
  }
}
