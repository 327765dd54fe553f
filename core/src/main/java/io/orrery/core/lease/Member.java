package io.orrery.core.lease;

import io.orrery.core.bus.ServerRole;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A server among those that share a store.
 *
 * @param id of this membership: a server that was taken for dead comes back under another one
 * @param url where its API is reached
 * @param host the machine that it runs on
 * @param roles what it is there for
 * @param version of its program; empty when it does not say
 * @param ahead how far its clock was before the database's when it was last heard; negative when it
 *     was behind, null when it does not say
 */
public record Member(
    String id,
    String url,
    String host,
    Set<ServerRole> roles,
    String version,
    @Nullable Duration ahead) {
  public Member {
    roles = Set.copyOf(roles);
  }

  /** A member that says nothing of its version and clock. */
  public Member(String id, String url, String host, Set<ServerRole> roles) {
    this(id, url, host, roles, "", null);
  }
}
