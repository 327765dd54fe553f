package io.orrery.compute.local;

import io.orrery.compute.service.PlatformListener;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.time.Clock;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The reports of an attempt, from all their sources: the metrics file of NNI, lines of its output,
 * and TensorBoard's event files. It hands in results there, and asks for further parameter sets.
 * Never waits itself: it asks for a nudge. Not thread safe.
 */
final class Reports {
  private final AttemptFiles files;
  private final MetricsFile metrics;
  private final OutputLines output;
  private final EventFiles eventFiles;
  private final FurtherSets sets;
  private final ReportFeed feed;
  private final List<FileTailReader> always;

  Reports(
      AttemptRef ref, AttemptFiles files, PlatformListener listener, Clock clock, Runnable nudge) {
    this.files = files;
    this.metrics = new MetricsFile(ref, clock);
    this.sets = new FurtherSets(ref, files, listener, clock, nudge);
    this.output = new OutputLines(ref, sets::present, clock);
    this.eventFiles = new EventFiles(files.directory(), ref);
    this.feed = new ReportFeed(this::tails, listener, clock, nudge);
    this.always =
        List.of(
            new FileTailReader(files.directory(), files.metrics(), metrics),
            new FileTailReader(files.directory(), files.log(Trials.Stream.STDOUT), output));
  }

  private List<FileTailReader> tails() {
    List<FileTailReader> others = eventFiles.tails();
    return others.isEmpty() ? always : Stream.concat(always.stream(), others.stream()).toList();
  }

  /** Looks for event files that have been begun, where they are wanted. */
  void findEventFiles() throws IOException {
    if (Files.exists(files.eventFilesWanted())) {
      eventFiles.look();
    }
  }

  /** Reads on, and brings the sets that are asked for once everything before is durable. */
  void answer() throws IOException {
    if (drained(false)) {
      sets.bring(Math.max(metrics.asked(), output.asked()));
    }
  }

  /**
   * Reads on.
   *
   * @param atEnd whether nothing more is written
   * @return whether everything that was said is durable; when not, a nudge comes
   */
  boolean drained(boolean atEnd) throws IOException {
    return feed.drained(atEnd);
  }

  /** The reports that could not be read or kept, in words, once the attempt has ended. */
  Stream<String> complaints() throws IOException {
    return Stream.<@Nullable String>of(
            metrics.complaint(),
            output.complaint(),
            MisplacedReports.complaint(files),
            eventFiles.complaint(),
            feed.complaint())
        .filter(Objects::nonNull);
  }
}
