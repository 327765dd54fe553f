package io.orrery.orchestrator.build;

import io.orrery.compute.attempt.Background;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Builds;
import io.orrery.core.bus.contract.Builds.ImageBuild;
import io.orrery.core.bus.contract.Registries;
import io.orrery.core.bus.contract.Registries.FoundImage;
import io.orrery.core.image.BuildStatus;
import org.jspecify.annotations.Nullable;

/**
 * The end of a build.
 *
 * @param reason a sentence; null when there is nothing to say
 * @param bytes of the image; null when they are not known
 */
record BuildEnd(
    BuildStatus status, @Nullable String reason, @Nullable String digest, @Nullable Long bytes) {
  static BuildEnd failed(@Nullable String reason) {
    return new BuildEnd(BuildStatus.FAILED, reason, null, null);
  }

  static BuildEnd canceled(@Nullable String reason) {
    return new BuildEnd(BuildStatus.CANCELED, reason, null, null);
  }

  /**
   * The end of a build whose image was pushed, as the registry tells it. Blocks.
   *
   * @param digest of the push; null when it is not known
   */
  static BuildEnd confirmed(
      Bus bus, ImageBuild build, @Nullable String digest, @Nullable Long bytes) throws Exception {
    FoundImage found =
        Background.await(
            bus.request(
                Registries.IMAGE,
                new Registries.FindImage(build.project(), build.spec().target())));
    if (found.digest() == null) {
      return failed("it was pushed, and the registry cannot be asked for it: " + found.reason());
    }
    return digest == null || digest.equals(found.digest())
        ? new BuildEnd(BuildStatus.SUCCEEDED, null, found.digest(), bytes)
        : failed(
            "%s was pushed, and the registry has %s under its name: another push came between"
                .formatted(digest, found.digest()));
  }

  /** Tells the studio, which is told no more when it is an end. Blocks. */
  void report(Bus bus, ImageBuild build) throws Exception {
    Background.await(
        bus.request(
            Builds.REPORT,
            new Builds.ReportBuild(build.name(), build.number(), status, reason, digest, bytes)));
  }
}
