package io.orrery.studio.pipeline;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.Bus;
import io.orrery.core.image.EnvironmentChoice;
import io.orrery.core.run.RunSpec;
import io.orrery.core.run.StepSpec;
import io.orrery.core.trial.Parameters;
import io.orrery.studio.environment.FrozenEnvironments;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The digests that the environments of the tasks of a pipeline have at one moment. */
final class StepEnvironments {
  private final Map<String, String> frozen;

  private StepEnvironments(Map<String, String> frozen) {
    this.frozen = Map.copyOf(frozen);
  }

  /** Asks for those of a document; fails with Refused and the first that cannot be used. */
  static Future<StepEnvironments> of(Bus bus, ProjectName project, PipelineDocument document) {
    Map<String, String> frozen = new HashMap<>();
    List<TaskDocument> tasks = new ArrayList<>(document.tasks());
    TaskDocument exit = document.onExit();
    if (exit != null) {
      tasks.add(exit);
    }
    Map<String, Future<?>> asked = new HashMap<>();
    for (TaskDocument task : tasks) {
      String image = task.place().environment();
      if (image != null) {
        asked.computeIfAbsent(
            image,
            added ->
                FrozenEnvironments.freeze(bus, project, image, pointer(task))
                    .onSuccess(found -> frozen.put(image, Objects.requireNonNull(found))));
      }
    }
    return Future.all(List.copyOf(asked.values())).map(done -> new StepEnvironments(frozen));
  }

  private static String pointer(TaskDocument task) {
    String beside = task.place().named() ? "/" : "/trainingService/";
    return task.pointer() + beside + EnvironmentChoice.KEY;
  }

  /** The run with these digests in the place of names. */
  RunSpec in(RunSpec run) {
    if (frozen.isEmpty()) {
      return run;
    }
    StepSpec exit = run.onExit();
    return run.with(run.steps().stream().map(this::in).toList(), exit == null ? null : in(exit));
  }

  private StepSpec in(StepSpec step) {
    Map<String, @Nullable Object> settings = step.settings().values();
    String image = EnvironmentChoice.text(settings);
    String digest = image == null ? null : frozen.get(image);
    if (digest == null) {
      return step;
    }
    Map<String, @Nullable Object> all = new LinkedHashMap<>(settings);
    all.put(EnvironmentChoice.KEY, digest);
    return step.withSettings(new Parameters(all));
  }
}
