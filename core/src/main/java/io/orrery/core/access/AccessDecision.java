package io.orrery.core.access;

/** The answer to a request for permission. */
public enum AccessDecision {
  ALLOWED,
  /** Refused with 403: the caller may see the object. */
  FORBIDDEN,
  /** Refused with 404: the caller may not learn that the object exists. */
  HIDDEN
}
