package io.orrery.studio.build;

import io.orrery.core.bus.contract.Builds.ImageBuild;
import io.orrery.core.bus.contract.Builds.ReportBuild;
import io.orrery.core.image.BuildSpec;
import io.orrery.core.image.BuildStatus;
import java.time.Instant;
import java.util.Objects;

/** Decides what a build becomes. Pure. */
final class BuildChange {
  private BuildChange() {}

  /** A further start, with the document as it is from now on. */
  static ImageBuild started(ImageBuild before, BuildSpec spec, String by, Instant now) {
    return new ImageBuild(
        before.name(),
        before.project(),
        before.owner(),
        spec,
        before.number() + 1,
        BuildStatus.QUEUED,
        false,
        null,
        before.digest(),
        before.bytes(),
        by,
        before.createdAt(),
        now,
        null,
        null,
        before.revision() + 1);
  }

  /** One that is to be ended: at once when it has not begun. */
  static ImageBuild canceled(ImageBuild before, Instant now) {
    boolean waits = before.status() == BuildStatus.QUEUED;
    return new ImageBuild(
        before.name(),
        before.project(),
        before.owner(),
        before.spec(),
        before.number(),
        waits ? BuildStatus.CANCELED : before.status(),
        true,
        waits ? "it was canceled before it began" : before.reason(),
        before.digest(),
        before.bytes(),
        before.startedBy(),
        before.createdAt(),
        before.queuedAt(),
        before.startedAt(),
        waits ? now : null,
        before.revision() + 1);
  }

  /** Whether a report is about the present start, and says something new. */
  static boolean isNews(ImageBuild before, ReportBuild report) {
    return report.number() == before.number()
        && !before.status().isOver()
        && report.status().compareTo(before.status()) >= 0
        && (report.status() != before.status()
            || !Objects.equals(report.reason(), before.reason()));
  }

  static ImageBuild reported(ImageBuild before, ReportBuild report, Instant now) {
    boolean over = report.status().isOver();
    Instant started = before.startedAt();
    return new ImageBuild(
        before.name(),
        before.project(),
        before.owner(),
        before.spec(),
        before.number(),
        report.status(),
        before.canceling(),
        report.reason(),
        report.digest() == null ? before.digest() : report.digest(),
        report.digest() == null ? before.bytes() : report.bytes(),
        before.startedBy(),
        before.createdAt(),
        before.queuedAt(),
        started == null && report.status() != BuildStatus.CANCELED ? now : started,
        over ? now : null,
        before.revision() + 1);
  }
}
