package io.orrery.compute.runtime.container;

import java.io.IOException;

/** A refusal of the container engine, or its silence. */
final class EngineException extends IOException {
  private static final long serialVersionUID = 1L;

  /** The status of an engine that has not answered. */
  static final int SILENT = 0;

  /** The status of a refusal that comes without one. */
  static final int REFUSED = 500;

  private static final int NOT_FOUND = 404;

  private final int status;

  /**
   * @param status of HTTP; {@link #SILENT} without an answer
   */
  EngineException(int status, String message) {
    super(message, null);
    this.status = status;
  }

  /** Whether the container or image does not exist. */
  boolean isAbsence() {
    return status == NOT_FOUND;
  }

  /** Whether the engine has not answered. */
  boolean isSilence() {
    return status == SILENT;
  }
}
