package io.orrery.core.bus.contract;

import io.orrery.core.bus.Address;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The request for what a server has found out about itself. Each answers under the id of its
 * membership; one of an earlier version does not serve the address.
 */
public final class ServerFindings {
  /** The address of each server is {@code OWN.of(id)}. */
  public static final Address<AskFindings, Findings> OWN =
      new Address<>("servers.findings", AskFindings.class, Findings.class)
          .waiting(Duration.ofMillis(2500));

  private ServerFindings() {}

  /** A question to one server. */
  public record AskFindings() {}

  /** The outcomes of all checks of a server that are about itself alone. */
  public record Findings(List<ServerFinding> items) {
    public Findings {
      items = List.copyOf(items);
    }
  }

  /**
   * The outcome of one check.
   *
   * @param state a word, which a later version may have more of
   * @param advice what to do; empty when nothing need be done
   * @param at when it was found; null while nothing was
   */
  public record ServerFinding(
      String check, String state, String found, String advice, @Nullable Instant at) {}
}
