package io.orrery.studio.deployment;

import io.orrery.core.access.ProjectName;
import io.orrery.core.service.ServiceName;
import io.orrery.studio.rollout.RolloutPolicy;
import io.orrery.studio.scale.ScalePolicy;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A service in production, as it was frozen when it was deployed.
 *
 * @param host that it shares or may share with others, in lower case; null for none
 * @param generation of the deployment
 * @param rollout the way on which it takes the host over
 * @param scaling null when nothing but people changes the number of replicas
 */
public record Deployment(
    ServiceName service,
    ProjectName project,
    String owner,
    @Nullable String host,
    long generation,
    Instant deployedAt,
    RolloutPolicy rollout,
    @Nullable ScalePolicy scaling) {}
