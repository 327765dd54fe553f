package io.orrery.compute.remote;

import io.orrery.compute.attempt.Background;
import io.orrery.compute.attempt.FirstReady;
import io.orrery.compute.secret.SecretBox;
import io.orrery.compute.service.MachineState;
import io.orrery.compute.service.Room;
import io.orrery.compute.service.TrainingServiceFactory.Surroundings;
import io.orrery.core.bus.contract.TrainingServices.Item;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.process.UserHome;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A registry of all machines that experiments have named, one for each login. The SSH client and
 * the gate that their ports lead to are opened with the first one: a server without remote machines
 * has neither. Thread safe.
 */
final class Machines {
  private static final Duration LAST_WORDS = Duration.ofSeconds(10);

  private final Surroundings surroundings;
  private final RemoteFiles files;
  private final MachineTimeouts patience;
  private final Map<String, String> variables;
  private final RandomGenerator random;
  private final Background background;
  private final Machine.Watcher watcher;
  private final Map<Login, Machine> all = new ConcurrentHashMap<>();
  private volatile @Nullable Equipment equipment;

  /** The parts that are only made when the first machine needs them. */
  private record Equipment(Ssh ssh, KeeperGate gate, Machine.Collaborators collaborators) {}

  /**
   * @param variables the server's environment
   * @param random how long each machine waits before it is tried again
   */
  Machines(
      Surroundings surroundings,
      RemoteFiles files,
      MachineTimeouts patience,
      Map<String, String> variables,
      RandomGenerator random,
      Background background,
      Machine.Watcher watcher) {
    this.surroundings = surroundings;
    this.files = files;
    this.patience = patience;
    this.variables = Map.copyOf(variables);
    this.random = random;
    this.background = background;
    this.watcher = watcher;
  }

  /**
   * The machines of an experiment, in the order of its list. Connects to those that are new. Blocks
   * until there is what they are reached with.
   */
  List<MachineChoice.Candidate> candidates(RemoteSettings settings) {
    Machine.Collaborators collaborators = equipment().collaborators();
    return settings.machines().stream()
        .map(member ->
            new MachineChoice.Candidate(
                all.computeIfAbsent(
                    member.login(), login -> new Machine(login, collaborators, watcher)),
                member.gpus()))
        .toList();
  }

  /**
   * Waits for the machines of an experiment, of which one is enough; refused when none comes, with
   * the reason of each.
   */
  void awaitAny(List<MachineChoice.Candidate> candidates) throws InterruptedException {
    FirstReady<MachineAway> answers = new FirstReady<>();
    for (int i = 0; i < candidates.size(); i++) {
      int number = i;
      background.execute(() -> answers.answered(number, absence(candidates.get(number))));
    }
    List<MachineAway> reasons = answers.await(candidates.size(), patience.gathering());
    if (!reasons.isEmpty()) {
      throw Problem.Refused.of(
              IntStream.range(0, reasons.size())
                  .mapToObj(number ->
                      new Finding(
                          "/trainingService/machineList/" + number,
                          candidates.get(number).machine().name()
                              + " "
                              + reasons.get(number).why()))
                  .toList())
          .toException();
    }
  }

  /** Why a machine does not come within a while; null when it does. */
  private @Nullable MachineAway absence(MachineChoice.Candidate candidate) {
    try {
      candidate.machine().await(patience.connect().multipliedBy(2));
      return null;
    } catch (MachineAway e) {
      return e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return MachineAway.passing("is not waited for any more");
    }
  }

  /** How the machines of an experiment are; connects to none. */
  List<MachineState> states(RemoteSettings settings) {
    return settings.machines().stream()
        .map(member -> {
          Machine known = all.get(member.login());
          return known == null
              ? Machine.unknown(member.login().name())
              : known.state(member.gpus());
        })
        .toList();
  }

  /**
   * How much room the machines of an experiment have. Connects to those that are new, unless no
   * machine was needed yet.
   */
  Room room(RemoteSettings settings) {
    if (equipment == null) {
      return Room.absent("is not connected to yet");
    }
    List<MachineChoice.Candidate> candidates = candidates(settings);
    List<MachineChoice.Candidate> there =
        candidates.stream().filter(candidate -> candidate.machine().absence() == null).toList();
    if (there.isEmpty()) {
      return Room.absent(
          candidates.stream()
              .map(candidate -> candidate.machine().name() + " " + candidate.machine().absence())
              .collect(Collectors.joining("; ")));
    }
    int free = 0;
    for (MachineChoice.Candidate candidate : there) {
      Integer more =
          candidate.gpus() == null ? null : candidate.machine().gpus().free(candidate.gpus());
      if (more == null) {
        return Room.UNKNOWN;
      }
      free += more;
    }
    return Room.of(free);
  }

  /**
   * Looks at each machine of an experiment by a connection of its own.
   *
   * @param shared where storage must be mounted there; null when none is needed
   */
  Future<List<Item>> check(RemoteSettings settings, @Nullable String shared) {
    List<Future<List<Item>>> looks =
        settings.machines().stream()
            .map(member ->
                background.run(() ->
                    new MachineCheck(
                            member,
                            shared,
                            equipment().ssh(),
                            surroundings.clock(),
                            patience.command())
                        .look()))
            .toList();
    return Future.all(looks)
        .map(all -> looks.stream().flatMap(look -> look.result().stream()).toList());
  }

  private synchronized Equipment equipment() {
    Equipment open = equipment;
    if (open != null) {
      return open;
    }
    Ssh ssh =
        new Ssh(
            new HostKeys(files.knownHosts(), UserHome.of(variables)),
            new SecretBox(surroundings.home().toAbsolutePath().normalize(), variables),
            variables,
            surroundings.clock(),
            patience.connect());
    KeeperGate gate = new KeeperGate(surroundings.vertx(), surroundings.access());
    gate.port().toCompletionStage().toCompletableFuture().join();
    open =
        new Equipment(
            ssh,
            gate,
            new Machine.Collaborators(
                ssh,
                files,
                KeeperProgram.load(),
                gate,
                surroundings.clock(),
                patience,
                random,
                background));
    equipment = open;
    return open;
  }

  /** Leaves them all, when what is under way in the background has ended. */
  Future<Void> close() {
    all.values().forEach(Machine::close);
    Equipment open;
    synchronized (this) {
      open = equipment;
    }
    if (open == null) {
      return Future.succeededFuture();
    }
    return background
        .atLast(() -> {
          background.awaitEnd(LAST_WORDS);
          open.ssh().close();
        })
        .compose(done -> open.gate().close());
  }
}
