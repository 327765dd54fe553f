package io.orrery.compute.local;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.compute.service.PlatformListener;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.file.ConfinedFile;
import io.orrery.core.file.DurableFile;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.time.Clock;
import io.orrery.core.trial.ParameterRecord;
import io.orrery.core.trial.ParameterSet;
import io.vertx.core.Future;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings an attempt the parameter sets that it asks for in its metrics file, one after the other,
 * as {@code parameter_<n>.cfg}. A file that is there was asked for and answered before, by this
 * server process or by an earlier one. Never waits itself: it asks for a nudge. Not thread safe.
 */
final class FurtherSets {
  private static final Logger LOG = LoggerFactory.getLogger(FurtherSets.class);
  private static final Duration PAUSE = Duration.ofSeconds(1);

  /** No parameter set is larger. */
  private static final int MOST_BYTES = 16 * 1024 * 1024;

  private final AttemptRef attempt;
  private final AttemptFiles files;
  private final PlatformListener listener;
  private final Clock clock;
  private final Runnable nudge;

  /** The set that is to come next. */
  private int next = 1;

  /** How many files were looked at for what the attempt tries. */
  private int lookedAt;

  private @Nullable String present;

  private @Nullable Future<Trials.Next> question;
  private boolean refused;
  private volatile boolean pausing;

  FurtherSets(
      AttemptRef attempt,
      AttemptFiles files,
      PlatformListener listener,
      Clock clock,
      Runnable nudge) {
    this.attempt = attempt;
    this.files = files;
    this.listener = listener;
    this.clock = clock;
    this.nudge = nudge;
  }

  /**
   * Goes on as far as it can without waiting.
   *
   * @param asked the highest set that the attempt has asked for, 0 for none
   */
  void bring(int asked) throws IOException {
    while (next <= asked && !refused && !pausing) {
      Future<Trials.Next> asking = question;
      if (asking == null) {
        if (Files.exists(files.parameters(next))) {
          next++;
        } else {
          ask();
        }
      } else if (!asking.isComplete()) {
        return;
      } else if (asking.succeeded()) {
        ParameterSet set = asking.result().set();
        // Those before it are looked at while they are there: the attempt may tidy up.
        present();
        write(next, set);
        present = set == null ? present : set.parameterId();
        lookedAt = next + 1;
        question = null;
        next++;
      } else {
        question = null;
        afterFailure(Problem.of(asking.cause()));
      }
    }
  }

  /**
   * The tuner's number of the set that the attempt has, which is the last one that was written for
   * it; null when a user chose it. What an attempt printed before it asked for a set is read before
   * that set is written.
   */
  @Nullable String present() {
    while (true) {
      Path file = lookedAt == 0 ? files.parameters() : files.parameters(lookedAt);
      if (!Files.isRegularFile(file)) {
        return present;
      }
      lookedAt++;
      try {
        JsonNode record = record(file);
        JsonNode id = record.path("parameter_id");
        if (record.hasNonNull("parameters") && id.asText().length() <= Report.LONGEST_ID) {
          present = id.isNull() ? null : id.asText();
        }
      } catch (IOException | ProblemException e) {
        LOG.warn(
            "could not read {}, output of {} may count for another parameter set",
            file,
            attempt,
            e);
      }
    }
  }

  /** The attempt may have put anything in its place. */
  private JsonNode record(Path file) throws IOException {
    try (InputStream in = Channels.newInputStream(ConfinedFile.open(files.directory(), file))) {
      return Json.parse(new String(in.readNBytes(MOST_BYTES), StandardCharsets.UTF_8));
    }
  }

  private void ask() {
    Future<Trials.Next> asking = listener.next(attempt, next);
    question = asking;
    if (!asking.isComplete()) {
      asking.onComplete(done -> nudge.run());
    }
  }

  private void afterFailure(Problem problem) {
    switch (problem) {
      case Problem.Passing passing -> sleep(passing.retryAfter());
      case Problem.Broken broken -> {
        LOG.warn(
            "could not give {} its parameter set {}, asking again: {}",
            attempt,
            next,
            broken.detail());
        sleep(PAUSE);
      }
      case Problem.Refused _,
          Problem.NotFound _,
          Problem.Conflict _,
          Problem.Unauthorized _,
          Problem.Forbidden _,
          Problem.TooLarge _ -> {
        LOG.info("could not give {} set {}: {}", attempt, next, problem.detail());
        refused = true;
      }
    }
  }

  private void sleep(Duration pause) {
    pausing = true;
    clock.after(
        pause,
        () -> {
          pausing = false;
          nudge.run();
        });
  }

  /** There whole or not at all: who waits for it reads it as soon as it is there. */
  private void write(int index, @Nullable ParameterSet set) throws IOException {
    ObjectNode record = set == null ? ParameterRecord.ofNone(index) : ParameterRecord.of(set);
    DurableFile.replace(
        files.parameters(index), record.toString().getBytes(StandardCharsets.UTF_8));
  }
}
