package io.orrery.gateway.http;

import io.orrery.core.access.Need;
import org.jspecify.annotations.Nullable;

/** The permission that a route asks for. Each route declares one; {@link Guard} checks it. */
public enum RouteNeed {
  /** Nothing: health, and the way to sign in. */
  OPEN,
  /**
   * The token of an attempt, or of the files of a pod, which the route checks itself; or of an
   * administrator.
   */
  ATTEMPT,
  /** Any caller that the server knows; one who reads only may GET. */
  CALLER,
  /**
   * The account of the caller: as {@link #CALLER}, and a user with the role viewer may change it,
   * who changes nothing else.
   */
  OWN,
  /** Reads the server: a service account or administrator. Changes it: an administrator. */
  SERVER,
  /** An administrator, for reading as well. */
  ADMIN,
  /** Reads the experiment of the path. */
  READ,
  /** Stops, pauses or resumes the experiment of the path, or one of its trials. */
  OPERATE,
  /** Changes or deletes the experiment of the path. */
  CHANGE,
  /**
   * A caller as {@link #CALLER}; the route decides further upon experiments that are not in the
   * path.
   */
  CHECKED,
  /** A caller as {@link #CALLER}; the route decides further upon a user or project. */
  STUDIO;

  /** The need upon the experiment of the path; null when the route is about something else. */
  public @Nullable Need ofExperiment() {
    return switch (this) {
      case READ -> Need.READ;
      case OPERATE -> Need.OPERATE;
      case CHANGE -> Need.CHANGE;
      case OPEN, ATTEMPT, CALLER, OWN, SERVER, ADMIN, CHECKED, STUDIO -> null;
    };
  }

  /** Whether the route may change an experiment, which is audited; the studio audits itself. */
  public boolean isAudited() {
    return switch (this) {
      case OPERATE, CHANGE, CHECKED -> true;
      case OPEN, ATTEMPT, CALLER, OWN, SERVER, ADMIN, READ, STUDIO -> false;
    };
  }
}
