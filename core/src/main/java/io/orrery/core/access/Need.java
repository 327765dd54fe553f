package io.orrery.core.access;

/** The permission that a request needs on an object of a project. */
public enum Need {
  /** Reads the object, its logs, files and events. */
  READ,
  /** Creates an object in the project. */
  CREATE,
  /** Stops, pauses, resumes, restarts or scales the object. */
  OPERATE,
  /** Changes or deletes the object. */
  CHANGE,
  /** Changes the project itself: its settings, members and secrets. */
  MANAGE
}
