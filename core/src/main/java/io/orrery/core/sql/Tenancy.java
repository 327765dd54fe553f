package io.orrery.core.sql;

/** The way in which a server owns a database: alone or shared. */
enum Tenancy {
  /** For itself: a second server is refused. */
  SOLE,
  /** Together with others, who keep out of each other's way by leases. */
  SHARED
}
