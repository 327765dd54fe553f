package io.orrery.core.alert;

import io.orrery.core.access.ProjectName;
import io.orrery.core.run.RunAlerts;
import java.time.Instant;

/**
 * An alert before it is stored for each of its receivers.
 *
 * @param id the same for the same fact, however often that is written
 * @param subject the run that it is about, or {@link AlertRows#ofSchedule}
 * @param status the word that is told
 * @param to its receivers
 * @param body a JSON object, as it is sent
 */
public record Alert(
    String id,
    String subject,
    ProjectName project,
    String status,
    RunAlerts to,
    String body,
    Instant at) {}
