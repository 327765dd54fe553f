package io.orrery.core.quota;

/** A part of a server that has limits of its own. */
public enum QuotaScope {
  /** A member in a project. */
  MEMBER,
  PROJECT,
  /** All projects together. */
  SERVER
}
