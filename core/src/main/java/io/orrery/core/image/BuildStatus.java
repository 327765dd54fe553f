package io.orrery.core.image;

/** The states of a build of an image. */
public enum BuildStatus {
  /** It waits for its turn. */
  QUEUED,
  RUNNING,
  /** The image is built and is being sent to its registry. */
  PUSHING,
  SUCCEEDED,
  FAILED,
  CANCELED;

  /** Whether nothing more will happen to it. */
  public boolean isOver() {
    return switch (this) {
      case QUEUED, RUNNING, PUSHING -> false;
      case SUCCEEDED, FAILED, CANCELED -> true;
    };
  }
}
