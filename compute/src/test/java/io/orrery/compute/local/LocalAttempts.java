package io.orrery.compute.local;

import io.orrery.compute.gpu.GpuProbe;
import io.orrery.compute.process.LaunchClaims.Taken;
import io.orrery.compute.process.Processes;
import io.orrery.compute.service.TrainingService;
import io.orrery.compute.service.TrainingServiceFactory.Surroundings;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.process.SearchPath;
import java.nio.file.Path;
import java.time.Duration;

/** A service whose pauses are short, and what tests see of its attempts. */
final class LocalAttempts {
  static final LocalSettings QUICK =
      new LocalSettings(
          Duration.ofMillis(500),
          Duration.ofMillis(200),
          1 << 20,
          LocalSettings.DEFAULT.interpreter(),
          LocalSettings.DEFAULT.spawn());

  private LocalAttempts() {}

  static TrainingService service(Surroundings surroundings, LocalSettings settings) {
    return new LocalService(
        surroundings,
        settings,
        System.getenv(),
        LocalServiceFactory.alone(surroundings, new GpuProbe(new SearchPath(""), GpuProbe.LIMIT)));
  }

  static boolean runs(Path home, AttemptRef attempt) throws Exception {
    String mark = new ProcessMarks(home).of(attempt);
    return Processes.all(ProcessMarks.VARIABLE).stream()
        .anyMatch(process -> mark.equals(process.mark()));
  }

  static Taken held(Path home, AttemptRef attempt) throws Exception {
    return (Taken) files(home, attempt).claims().current();
  }

  static AttemptFiles files(Path home, AttemptRef attempt) {
    return AttemptFiles.of(home, attempt);
  }
}
