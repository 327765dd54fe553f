package io.orrery.orchestrator.build;

import io.orrery.core.bus.Bus;
import io.orrery.core.code.CodeTree;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.orchestrator.bundle.BundleUpload;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;

/** Uploads a directory as the code of a run. Blocks. */
final class BuildPacks {
  private final BundleUpload uploads;

  BuildPacks(Bus bus) {
    this.uploads = new BundleUpload(bus);
  }

  /** The digest of the directory, which is stored now. */
  String upload(Path directory) throws IOException, BuildException {
    try {
      return uploads.upload(
          CodeTree.whole(directory), Objects.requireNonNull(directory.getParent()));
    } catch (ProblemException e) {
      if (e.problem() instanceof Problem.Refused refused) {
        throw new BuildException(
            "its context is too much for a pod: " + refused.findings().getFirst().message());
      }
      throw e;
    }
  }
}
