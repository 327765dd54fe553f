package io.orrery.orchestrator.run;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.PipelineRuns;
import io.orrery.core.code.CodeRepository;
import io.orrery.core.code.CodeTree;
import io.orrery.core.run.GitCode;
import io.orrery.core.run.RunSpec;
import io.orrery.core.run.StepSpec;
import io.orrery.orchestrator.bundle.BundleUpload;
import io.orrery.orchestrator.git.GitCheckouts;
import io.vertx.core.Future;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Fetches the code that steps of a new run have in Git repositories, once, and stores it by its
 * content: all attempts of the run start in the same files, whatever becomes of the branch.
 */
final class CodeOfRuns {
  private final GitCheckouts checkouts;
  private final BundleUpload uploads;

  CodeOfRuns(GitCheckouts checkouts, Bus bus) {
    this.checkouts = checkouts;
    this.uploads = new BundleUpload(bus);
  }

  /** A state of a repository that is stored. */
  private record Stored(String digest, String commit) {}

  /** The run with the digests and commits of its code; fails with Refused. */
  Future<PipelineRuns.Create> fetched(PipelineRuns.Create asked) {
    RunSpec spec = asked.spec();
    Set<CodeRepository> sources = new LinkedHashSet<>();
    steps(spec)
        .forEach(step -> {
          GitCode git = step.git();
          if (git != null) {
            sources.add(git.repository());
          }
        });
    if (sources.isEmpty()) {
      return Future.succeededFuture(asked);
    }
    return checkouts
        .read(
            sources,
            spec.project(),
            (tree, commit) ->
                new Stored(
                    uploads.upload(CodeTree.of(tree), Objects.requireNonNull(tree.getParent())),
                    commit))
        .map(stored -> new PipelineRuns.Create(with(spec, stored), asked.taken()));
  }

  private static Stream<StepSpec> steps(RunSpec spec) {
    return Stream.concat(spec.steps().stream(), Stream.ofNullable(spec.onExit()));
  }

  private static RunSpec with(RunSpec spec, Map<CodeRepository, Stored> stored) {
    StepSpec exit = spec.onExit();
    return spec.with(
        spec.steps().stream().map(step -> with(step, stored)).toList(),
        exit == null ? null : with(exit, stored));
  }

  private static StepSpec with(StepSpec step, Map<CodeRepository, Stored> stored) {
    GitCode git = step.git();
    Stored found = git == null ? null : stored.get(git.repository());
    return git == null || found == null
        ? step
        : step.fetched(found.digest(), new GitCode(git.repository(), found.commit()));
  }
}
