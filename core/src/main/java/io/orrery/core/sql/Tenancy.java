package io.orrery.core.sql;

/** How a server has a database. */
enum Tenancy {
  /** For itself: a second server is refused. */
  SOLE,
  /** Together with others, who keep out of each other's way by leases. */
  SHARED
}
