package io.orrery.orchestrator.platform.kubernetes;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the jobs of an experiment are made from.
 *
 * @param roles the one that reports first
 * @param container what the main container of a pod is called: some operators look for a name
 * @param pod fields that every pod gets, by strategic merge; empty for none
 * @param serviceAccount null for the namespace's own
 */
public record Blueprint(
    ClusterAddress cluster,
    JobKind kind,
    List<Role> roles,
    String container,
    ObjectNode pod,
    @Nullable String serviceAccount) {
  public Blueprint {
    roles = List.copyOf(roles);
  }
}
