package io.orrery.core.sql;

/**
 * The identity of a server that writes to a database.
 *
 * @param id letters, digits and dashes, up to 40: the same whenever this server comes back, so that
 *     it need not wait for itself; two servers that may run at once have two
 * @param description for people: which machine, process, home
 */
public record StoreOwner(String id, String description) {
  public StoreOwner {
    if (!id.matches("[A-Za-z0-9-]{1,40}")) {
      throw new IllegalArgumentException("no owner: " + id);
    }
  }

  /** What its connections are called in {@code pg_stat_activity}. */
  String applicationName() {
    return "orrery " + id;
  }
}
