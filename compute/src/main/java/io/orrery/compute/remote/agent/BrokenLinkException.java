package io.orrery.compute.remote.agent;

import java.io.IOException;
import java.util.concurrent.ExecutionException;

/** A failure of the link to an agent, or words of it that are no frame: the link is over. */
public final class BrokenLinkException extends IOException {
  private static final long serialVersionUID = 1;

  BrokenLinkException(String message) {
    super(message);
  }

  /** The failure that ended a link, for one who waited on it. */
  static BrokenLinkException because(ExecutionException failed) {
    Throwable cause = failed.getCause();
    return new BrokenLinkException(
        String.valueOf(cause == null ? failed.getMessage() : cause.getMessage()));
  }
}
