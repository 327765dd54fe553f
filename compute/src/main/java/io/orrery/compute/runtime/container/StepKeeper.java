package io.orrery.compute.runtime.container;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.compute.command.ParameterVariables;
import io.orrery.compute.runtime.replica.Prerequisites;
import io.orrery.compute.service.PlatformEvent;
import io.orrery.compute.service.StepSetup;
import io.orrery.compute.service.Submission;
import io.orrery.core.access.ProjectName;
import io.orrery.core.file.DurableFile;
import io.orrery.core.file.JsonFile;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Problem;
import io.orrery.core.project.VolumeKind;
import io.orrery.core.project.VolumeMount;
import io.orrery.core.time.Clock;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keeper of the container of one attempt, on a virtual thread of its own: creates it, starts it
 * once, copies its logs, and tells its end when that is on the disk. Everything is found again by
 * the container's name and by the file of the end, so a keeper may be begun anew at any time.
 */
final class StepKeeper {
  private static final Logger LOG = LoggerFactory.getLogger(StepKeeper.class);
  private static final Duration LOOK = Duration.ofSeconds(1);
  private static final Duration SILENT = Duration.ofSeconds(2);
  private static final Duration GRACE = Duration.ofSeconds(10);
  private static final String END = "end.json";
  private static final String STARTED = "started";

  /** What Docker's command line has for what could not be started. */
  private static final int NOT_STARTED = 125;

  private static final int KILLED = 137;

  private final StepEngine machine;
  private final Clock clock;
  private final Submission submission;
  private final StepSettings settings;
  private final Path directory;
  private final Consumer<PlatformEvent> tell;
  private final Semaphore nudges = new Semaphore(0);
  private final Promise<Void> over = Promise.promise();
  private final String name;
  private final ContainerLog stdout;
  private final ContainerLog stderr;
  private volatile boolean canceled;
  private volatile boolean left;
  private volatile boolean told;
  private boolean asked;
  private boolean renewed;
  private @Nullable Instant killAt;

  /**
   * The end of an attempt.
   *
   * @param exitCode null when it is not known
   */
  record End(@Nullable Integer exitCode, Instant at, @Nullable String reason) {}

  /**
   * @param directory of the attempt, in which its logs and its end are kept
   */
  StepKeeper(
      StepEngine machine,
      Clock clock,
      Submission submission,
      Path directory,
      Consumer<PlatformEvent> tell) {
    this.machine = machine;
    this.clock = clock;
    this.submission = submission;
    this.settings = StepSettings.of(submission);
    this.directory = directory;
    this.tell = tell;
    this.name = machine.name(submission.attempt());
    this.stdout = machine.log(name, "stdout", directory.resolve("stdout"), this::nudge);
    this.stderr = machine.log(name, "stderr", directory.resolve("stderr"), this::nudge);
  }

  static @Nullable End end(Path directory) throws IOException {
    return JsonFile.read(directory.resolve(END), End.class);
  }

  /** Whether the container was seen to run, or to have run. */
  static boolean hasStarted(Path directory) {
    return Files.exists(directory.resolve(STARTED));
  }

  /** Has the attempt ended before it starts, whatever comes: unless it has an end already. */
  static void refuse(Path directory, Instant now) throws IOException {
    Files.createDirectories(directory);
    if (end(directory) == null) {
      JsonFile.write(directory.resolve(END), new End(null, now, "it was ended before it started"));
    }
  }

  void begin() {
    machine.events().watch(name, this::nudge);
    Thread.ofVirtual().name("step-" + name).start(this::keep);
  }

  private void nudge() {
    nudges.release();
  }

  /** Tells the story again. */
  void tellAgain() {
    told = false;
    nudge();
  }

  /** Ends the attempt; completes when its container is gone. */
  Future<Void> cancel() {
    canceled = true;
    nudge();
    return over.future();
  }

  /** Keeps it no more; the container goes on. */
  void leave() {
    left = true;
    nudge();
  }

  Future<Void> ended() {
    return over.future();
  }

  private void keep() {
    Duration pause = Duration.ZERO;
    while (!left && !over.future().isComplete()) {
      try {
        if (nudges.tryAcquire(pause.toMillis(), TimeUnit.MILLISECONDS)) {
          nudges.drainPermits();
        }
        pause = left ? LOOK : step();
      } catch (EngineException e) {
        pause = e.isSilence() ? silent(e) : failed(e);
      } catch (IOException | RuntimeException e) {
        LOG.warn("could not keep container {}: {}", name, e.toString());
        pause = SILENT;
      } catch (InterruptedException e) {
        left = true;
      }
    }
    stdout.stop();
    stderr.stop();
    machine.events().forget(name);
    over.tryFail(
        new Problem.Busy("container " + name + " is kept by this server no more", SILENT)
            .toException());
  }

  private Duration silent(EngineException e) {
    tell.accept(
        new PlatformEvent.Unreachable(submission.attempt(), String.valueOf(e.getMessage())));
    return SILENT;
  }

  /** The engine refuses what was asked: nothing that is tried again changes that. */
  private Duration failed(EngineException e) {
    if (told) {
      LOG.warn("could not keep container {}: {}", name, e.getMessage());
      return SILENT;
    }
    try {
      finish(NOT_STARTED, String.valueOf(e.getMessage()));
    } catch (IOException again) {
      LOG.warn("could not end container {}: {}", name, again.getMessage());
    }
    return SILENT;
  }

  /** Does what is next, and answers when to look again. */
  private Duration step() throws IOException {
    End end = end(directory);
    if (end != null) {
      remove(end);
      return LOOK;
    }
    ContainerState state = machine.engine().inspect(name);
    if (state == null) {
      return create();
    }
    if (state.isNew()) {
      if (canceled) {
        finish(null, "it was ended before it started");
        return LOOK;
      }
      Files.createDirectories(directory.resolve("stdout"));
      Files.createDirectories(directory.resolve("stderr"));
      return start();
    }
    tellStarted(state);
    if (state.isOver()) {
      stdout.finish();
      stderr.finish();
      boolean memory = state.oomKilled() || (state.exitCode() == KILLED && state.memory() > 0);
      finish(
          state.exitCode(),
          memory && !canceled
              ? "it was killed, most likely for using more than its %,d bytes of memory"
                  .formatted(state.memory())
              : null);
      return LOOK;
    }
    stdout.follow(clock.now());
    stderr.follow(clock.now());
    if (canceled) {
      end(state);
    }
    return LOOK;
  }

  private Duration start() throws IOException {
    try {
      machine.engine().start(name);
    } catch (EngineException e) {
      ContainerState state = e.isSilence() ? null : machine.engine().inspect(name);
      if (state == null || (state.isNew() && state.pid() == 0 && renewed)) {
        throw e;
      }
      if (state.isNew()) {
        startAgain(state, e);
      }
    }
    return Duration.ZERO;
  }

  /**
   * Gets past a start that was refused. An engine that is killed before it has noted the start of a
   * program, or its preparations, refuses every other start of that container.
   */
  private void startAgain(ContainerState state, EngineException refusal) throws IOException {
    if (state.pid() == 0) {
      // Its program has not begun, so that another container may take its place.
      renewed = true;
      LOG.warn("could not start container {}, makes it anew: {}", name, refusal.getMessage());
      machine.engine().remove(name, true);
      return;
    }
    stdout.finish();
    stderr.finish();
    LOG.warn("could not find the program of container {}: {}", name, refusal.getMessage());
    finish(
        null,
        "the container engine lost track of container %s, most likely because it was killed; its program was ended"
            .formatted(name));
  }

  private void tellStarted(ContainerState state) throws IOException {
    Path started = directory.resolve(STARTED);
    if (!Files.exists(started)) {
      Files.createDirectories(directory);
      DurableFile.create(started, new byte[0]);
    }
    if (!told) {
      told = true;
      tell.accept(
          new PlatformEvent.Started(submission.attempt(), state.startedAt(), directory.toString()));
    }
  }

  private void end(ContainerState state) throws IOException {
    Instant deadline = killAt;
    if (deadline == null) {
      killAt = clock.now().plus(GRACE);
      machine.engine().signal(name, state.stopSignal());
    } else if (!clock.now().isBefore(deadline)) {
      machine.engine().signal(name, "SIGKILL");
    }
  }

  /** There is no container: one that has run is lost, and never started again. */
  private Duration create() throws IOException {
    if (Files.exists(directory.resolve(STARTED))) {
      finish(null, "its container was removed by another program");
    } else if (canceled) {
      finish(null, "it was ended before it started");
    } else if (!isImageThere()) {
      if (!asked) {
        // The password may have been corrected since another step was refused.
        asked = true;
        machine.pulls().forgetFailure(settings.image(), project());
      }
      switch (machine.pulls().ask(settings.image(), project(), this::nudge)) {
        case Prerequisites.Met() -> {}
        case Prerequisites.Later(String reason) ->
            tell.accept(new PlatformEvent.Waiting(submission.attempt(), reason));
        case Prerequisites.Missing(String reason) -> finish(NOT_STARTED, reason);
      }
    } else {
      try {
        machine.engine().create(name, body());
      } catch (EngineException e) {
        if (!machine.isWithoutInit(e) && machine.engine().inspect(name) == null) {
          throw e;
        }
      }
      return Duration.ZERO;
    }
    return LOOK;
  }

  private ProjectName project() {
    return Objects.requireNonNull(submission.step()).project();
  }

  private boolean isImageThere() throws IOException {
    return machine.engine().hasImage(settings.image())
        && machine.pulls().isOpenTo(project(), settings.image());
  }

  /** Notes the end, so that it is told by every later keeper as well. */
  private void finish(@Nullable Integer exitCode, @Nullable String reason) throws IOException {
    Files.createDirectories(directory);
    End end = new End(exitCode, clock.now(), reason);
    JsonFile.write(directory.resolve(END), end);
    remove(end);
  }

  private void remove(End end) throws IOException {
    try {
      machine.engine().remove(name, true);
    } catch (EngineException e) {
      if (e.isSilence() || machine.engine().inspect(name) != null) {
        throw e;
      }
    }
    if (!left && over.tryComplete()) {
      tell.accept(
          new PlatformEvent.Ended(submission.attempt(), end.exitCode(), end.at(), end.reason()));
    }
  }

  // ---- the body ------------------------------------------------------------------------------

  private ObjectNode body() throws IOException {
    StepSetup step = Objects.requireNonNull(submission.step());
    Path work = Path.of(submission.job().codeDirectory());
    for (Path path : new Path[] {work, step.inputs(), step.outputs()}) {
      // The user of an image is another one than that of the server.
      Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxrwxrwx"));
    }
    ObjectNode body = Json.MAPPER.createObjectNode();
    body.put("Image", settings.image());
    body.putArray("Entrypoint").add("/bin/sh").add("-c").add(submission.job().command());
    body.putArray("Cmd");
    body.put("WorkingDir", work.toString());
    ArrayNode variables = body.putArray("Env");
    Map<String, String> environment =
        new TreeMap<>(ParameterVariables.all(submission.parameters().values()));
    environment.putAll(step.environment());
    environment.forEach((variable, text) -> variables.add(variable + "=" + text));
    AttemptRef attempt = submission.attempt();
    body.putObject("Labels")
        .put(machine.labelName(), machine.labelValue())
        .put("io.orrery.attempt", attempt.toString());
    ObjectNode host = body.putObject("HostConfig");
    host.put("NetworkMode", machine.cluster().network().word());
    host.put("Init", machine.init());
    host.putObject("RestartPolicy").put("Name", "no");
    ContainerBody.limit(host, settings.resources());
    ArrayNode mounts = host.putArray("Mounts");
    ContainerBody.bind(mounts, work.toString(), work.toString(), false);
    ContainerBody.bind(mounts, step.inputs().toString(), step.inputs().toString(), false);
    ContainerBody.bind(mounts, step.outputs().toString(), step.outputs().toString(), false);
    for (VolumeMount mount : settings.mounts().mounts()) {
      if (mount.kind() == VolumeKind.HOSTPATH) {
        ContainerBody.bind(mounts, mount.source(), mount.path(), false);
      }
    }
    return body;
  }
}
