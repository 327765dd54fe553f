package io.orrery.router.tcp;

import io.orrery.router.route.ClientAddress;
import io.orrery.router.route.RequestFacts;
import org.jspecify.annotations.Nullable;

/** The facts about a connection whose bytes are not read: its client alone. */
record ConnectionFacts(ClientAddress client) implements RequestFacts {
  @Override
  public String path() {
    return "";
  }

  @Override
  public @Nullable String header(String name) {
    return null;
  }

  @Override
  public @Nullable String cookie(String name) {
    return null;
  }
}
