package io.orrery.core.run;

import com.fasterxml.jackson.annotation.JsonAlias;
import io.orrery.core.experiment.RetryPolicy;
import io.orrery.core.trial.Parameters;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A step of a run: work that is done once, to its end.
 *
 * @param name unique in the run
 * @param task the task of the pipeline that it is a step of; several when the task has {@code each}
 * @param each the values of this step by their names; empty when the task has no {@code each}
 * @param code digest of the uploaded code that the step starts in a copy of; null for an empty
 *     directory, and before the code of a repository is fetched
 * @param git where the code is fetched from when the run is created; null for code that was
 *     uploaded, or none
 * @param platform the training service, with its settings; {@link StepWork#SERVER} for work that
 *     the server does
 * @param gpus GPUs of the step; null leaves their visibility alone
 * @param after tasks that must be over, besides those whose outputs are used
 * @param inputs outputs of tasks by the names below {@code $ORRERY_INPUTS}
 * @param environment the variables of the documents
 * @param context variables that say where the step runs; they are in no cache key
 * @param timeout of an attempt; null for none
 * @param when null when the step always runs
 * @param cache for how long outputs of an equal step are taken; null for never
 */
public record StepSpec(
    String name,
    String task,
    Map<String, String> each,
    @JsonAlias("command") StepWork work,
    @Nullable String code,
    @Nullable GitCode git,
    String platform,
    Parameters settings,
    @Nullable Integer gpus,
    List<String> after,
    Map<String, OutputRef> inputs,
    Map<String, ValueText> environment,
    Map<String, String> context,
    List<OutputSpec> outputs,
    RetryPolicy retry,
    @Nullable Duration timeout,
    @Nullable Condition when,
    @Nullable Duration cache) {
  /** The variable with the commit of the code. */
  public static final String COMMIT = "ORRERY_CODE_COMMIT";

  public StepSpec {
    each = Collections.unmodifiableMap(new LinkedHashMap<>(each));
    after = List.copyOf(after);
    inputs = Collections.unmodifiableMap(new LinkedHashMap<>(inputs));
    environment = Collections.unmodifiableMap(new LinkedHashMap<>(environment));
    context = Collections.unmodifiableMap(new LinkedHashMap<>(context));
    outputs = List.copyOf(outputs);
  }

  /**
   * The same with its code, fetched.
   *
   * @param digest of the code
   */
  public StepSpec fetched(String digest, GitCode from) {
    Map<String, String> told = new LinkedHashMap<>(context);
    if (from.commit() != null) {
      told.put(COMMIT, from.commit());
    }
    return new StepSpec(
        name,
        task,
        each,
        work,
        digest,
        from,
        platform,
        settings,
        gpus,
        after,
        inputs,
        environment,
        told,
        outputs,
        retry,
        timeout,
        when,
        cache);
  }

  /** The same with other settings of its training service. */
  public StepSpec withSettings(Parameters others) {
    return new StepSpec(
        name,
        task,
        each,
        work,
        code,
        git,
        platform,
        others,
        gpus,
        after,
        inputs,
        environment,
        context,
        outputs,
        retry,
        timeout,
        when,
        cache);
  }

  /** The outputs of other tasks that the step uses. */
  public Set<OutputRef> uses() {
    Set<OutputRef> uses = new LinkedHashSet<>(inputs.values());
    uses.addAll(work.uses());
    environment.values().forEach(value -> uses.addAll(value.outputs()));
    if (when != null) {
      uses.addAll(when.left().outputs());
      ValueText right = when.right();
      if (right != null) {
        uses.addAll(right.outputs());
      }
    }
    return uses;
  }

  /** The names of the variables and not their values, which may be secrets. */
  @Override
  public String toString() {
    return "StepSpec[%s of %s on %s, environment %s]"
        .formatted(name, task, platform, environment.keySet());
  }
}
