package io.orrery.orchestrator.build;

import io.orrery.core.bus.contract.Builds.ImageBuild;
import io.orrery.core.digest.Sha256;
import io.orrery.core.experiment.RetryPolicy;
import io.orrery.core.image.BuildSpec;
import io.orrery.core.run.OutputSpec;
import io.orrery.core.run.RunId;
import io.orrery.core.run.RunSpec;
import io.orrery.core.run.StepCommand;
import io.orrery.core.run.StepContainer;
import io.orrery.core.run.StepSpec;
import io.orrery.core.run.ValueText;
import io.orrery.core.trial.Parameters;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Makes the run of one step that a build in a pod is. Pure. */
final class BuildRun {
  /** The name of its step. */
  static final String STEP = "build";

  private static final int ID_BYTES = 10;
  private static final int MILLI = 1_000;

  /** A pod that a node has lost is repeated, a build that has failed is not. */
  private static final RetryPolicy LOST_ONLY =
      new RetryPolicy(3, Duration.ofSeconds(2), Set.of(RetryPolicy.Cause.LOST));

  private BuildRun() {}

  /** Its id: another one for each start of a build. */
  static RunId id(ImageBuild build) {
    String start = build.name() + " " + build.number() + " " + build.createdAt();
    return new RunId("b" + Sha256.hex(start, ID_BYTES));
  }

  /**
   * The run.
   *
   * @param image of its pod
   * @param code digest of the uploaded script and context
   * @param variables sealed values, and references to secrets
   */
  static RunSpec of(
      ImageBuild build,
      String image,
      String code,
      Map<String, String> variables,
      Duration deadline) {
    BuildSpec spec = build.spec();
    Map<String, ValueText> environment = new TreeMap<>();
    variables.forEach((name, value) -> environment.put(name, ValueText.of(value)));
    Map<String, @Nullable Object> settings =
        new HashMap<>(
            new StepContainer(
                    String.valueOf(spec.cluster()),
                    image,
                    "",
                    (long) spec.limits().processors() * MILLI,
                    spec.limits().memory(),
                    "",
                    null,
                    null)
                .settings()
                .values());
    settings.put(StepContainer.BUILDS, true);
    StepSpec step =
        new StepSpec(
            STEP,
            STEP,
            Map.of(),
            new StepCommand(List.of(ValueText.of("sh"), ValueText.of("build.sh")), false),
            code,
            null,
            StepContainer.PODS,
            new Parameters(settings),
            0,
            List.of(),
            Map.of(),
            environment,
            Map.of(),
            List.of(
                new OutputSpec(BuildScript.DIGEST, true, BuildScript.DIGEST),
                new OutputSpec(BuildScript.BYTES, true, BuildScript.BYTES)),
            LOST_ONLY,
            deadline,
            null,
            null);
    return new RunSpec(
        id(build),
        build.name(),
        1,
        build.project(),
        build.owner(),
        build.startedBy(),
        RunSpec.BUILD,
        null,
        Parameters.EMPTY,
        1,
        false,
        List.of(step),
        null,
        null);
  }
}
