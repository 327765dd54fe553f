package io.orrery.orchestrator.platform.remote;

import io.orrery.core.bus.contract.TrainingServices.Item;
import io.orrery.core.process.UserHome;
import io.orrery.orchestrator.platform.Background;
import io.orrery.orchestrator.platform.MachineState;
import io.orrery.orchestrator.platform.TrainingServiceFactory.Surroundings;
import io.orrery.orchestrator.secret.SecretBox;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * All machines that experiments have named, one for each login. The SSH client and the gate that
 * their ports lead to are opened with the first one: a server without remote machines has neither.
 * Thread safe.
 */
final class Machines {
  private static final Duration LAST_WORDS = Duration.ofSeconds(10);

  private final Surroundings surroundings;
  private final RemoteFiles files;
  private final Patience patience;
  private final Map<String, String> variables;
  private final RandomGenerator random;
  private final Background background;
  private final Machine.Watcher watcher;
  private final Map<Login, Machine> all = new ConcurrentHashMap<>();
  private volatile @Nullable Equipment equipment;

  /** What is only made when the first machine needs it. */
  private record Equipment(Ssh ssh, Gate gate, Machine.Company company) {}

  /**
   * @param variables the server's environment
   * @param random how long each machine waits before it is tried again
   */
  Machines(
      Surroundings surroundings,
      RemoteFiles files,
      Patience patience,
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

  /** Whether there is what machines are reached with. */
  boolean isOpen() {
    return equipment != null;
  }

  /**
   * The machines of an experiment, in the order of its list. Connects to those that are new. Blocks
   * until there is what they are reached with.
   */
  List<Places.Candidate> candidates(RemoteSettings settings) {
    Machine.Company company = equipment().company();
    return settings.machines().stream()
        .map(member ->
            new Places.Candidate(
                all.computeIfAbsent(member.login(), login -> new Machine(login, company, watcher)),
                member.gpus()))
        .toList();
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
    Gate gate = new Gate(surroundings.vertx(), surroundings.access());
    int port = gate.port().toCompletionStage().toCompletableFuture().join();
    open =
        new Equipment(
            ssh,
            gate,
            new Machine.Company(
                ssh,
                files,
                KeeperProgram.load(),
                () -> port,
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
