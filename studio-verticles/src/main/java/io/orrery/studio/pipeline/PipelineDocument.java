package io.orrery.studio.pipeline;

import io.orrery.core.run.RunAlerts;
import io.orrery.studio.schedule.PipelineSchedule;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The document of a pipeline.
 *
 * @param parallelism the most steps that run at once
 * @param onExit the task that runs at the end; null for none
 * @param schedule null when it is started by hand only
 * @param alerts null when its runs are not told
 */
record PipelineDocument(
    Map<String, Argument> parameters,
    Map<String, TextTemplate> environment,
    int parallelism,
    List<TaskDocument> tasks,
    @Nullable TaskDocument onExit,
    @Nullable PipelineSchedule schedule,
    @Nullable RunAlerts alerts) {
  PipelineDocument {
    parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
    environment = Collections.unmodifiableMap(new LinkedHashMap<>(environment));
    tasks = List.copyOf(tasks);
  }
}
