package io.orrery.core.lease;

import io.orrery.core.bus.ServerRole;
import java.util.Set;

/**
 * A server among those that share a store.
 *
 * @param id of this membership: a server that was taken for dead comes back under another one
 * @param url where its API is reached
 * @param host the machine that it runs on
 * @param roles what it is there for
 */
public record Member(String id, String url, String host, Set<ServerRole> roles) {
  public Member {
    roles = Set.copyOf(roles);
  }
}
