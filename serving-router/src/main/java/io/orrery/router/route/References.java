package io.orrery.router.route;

/** The treatment of a split or mirror that names a service which is not there. */
public enum References {
  /**
   * It is a fault of the document, unless the service named it before and what it names has left
   * another layer meanwhile.
   */
  REQUIRED,
  /** It is left out: that part of the requests stays, and no copies are made. */
  OPTIONAL
}
