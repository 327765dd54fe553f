package io.orrery.cli.apply;

import io.orrery.cli.client.Api;
import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.print.Terminal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Applies the documents of a file that has one pipeline. */
public final class AppliedPipeline {
  private AppliedPipeline() {}

  /**
   * Checks the documents of a file, and makes the server hold them unless it is only a check.
   *
   * @param project of new objects that name none; null for public
   * @return the name of the pipeline
   * @throws CommandFailure refused, with all that is wrong
   */
  public static String of(
      Api api, Terminal terminal, String file, @Nullable String project, boolean checkOnly) {
    ManifestReader reader = new ManifestReader(terminal, System.in);
    List<Manifest> manifests = reader.read(file);
    List<String> findings = new ArrayList<>(reader.findings());
    List<Manifest> pipelines =
        manifests.stream().filter(manifest -> manifest.kind() == ObjectKind.PIPELINE).toList();
    if (pipelines.size() != 1 && findings.isEmpty()) {
      throw CommandFailure.refused(
          "%s has %d pipelines; one is needed".formatted(file, pipelines.size()));
    }
    ManifestApplier applier = new ManifestApplier(api, project, terminal::say);
    List<ManifestApplier.Checked> checked = applier.check(manifests, findings);
    if (!checkOnly) {
      checked.forEach(applier::apply);
    }
    return pipelines.getFirst().name();
  }
}
