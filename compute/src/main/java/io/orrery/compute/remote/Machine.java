package io.orrery.compute.remote;

import io.orrery.compute.gpu.GpuQueue;
import io.orrery.compute.gpu.GpuRequest;
import io.orrery.compute.remote.Connection.Said;
import io.orrery.compute.service.GpuReport;
import io.orrery.compute.service.MachineState;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A machine, for all experiments that have it in their list: keeps the connection, makes it again
 * when it breaks, and knows which attempts are on it. Thread safe.
 */
final class Machine {
  private static final Logger LOG = LoggerFactory.getLogger(Machine.class);
  private static final String PLATFORM = "remote";
  private static final long JITTER_PERCENT = 20;

  /** The exit code of what fetches code when the code itself cannot be unpacked. */
  private static final int CODE_IS_AT_FAULT = 45;

  /** The collaborators that all machines of a server share. */
  record Collaborators(
      Ssh ssh,
      RemoteFiles files,
      KeeperProgram keeper,
      KeeperGate gate,
      Clock clock,
      MachineTimeouts patience,
      RandomGenerator random,
      Executor threads) {}

  /** A listener that is told on the machine's own thread; may block. */
  interface Watcher {
    /** The connection stands, for the first time or again. */
    void arrived(Machine machine, ConnectedMachine site) throws MachineAway, InterruptedException;

    /** It is there, or it is not any more, or there is another reason why it is not. */
    void changed(Machine machine);
  }

  private final Login login;
  private final Collaborators collaborators;
  private final Arrival arrival;
  private final Watcher watcher;
  private final GpuQueue gpus;
  private final Map<AttemptRef, MachineSeat> seats = new ConcurrentHashMap<>();
  private final Set<String> brought = new HashSet<>();
  private final Thread keeping;
  private @Nullable ConnectedMachine site;
  private @Nullable MachineAway trouble;
  private @Nullable Instant awaySince;
  private @Nullable Instant thereSince;
  private @Nullable Instant heardAt;
  private @Nullable String asideBecause;
  private Instant asideUntil = Instant.EPOCH;
  private final Object counting = new Object();
  private Map<String, String> census = Map.of();
  private @Nullable Instant censusAt;
  private @Nullable ConnectedMachine counted;
  private boolean hurried;
  private volatile boolean closed;

  Machine(Login login, Collaborators collaborators, Watcher watcher) {
    this.login = login;
    this.collaborators = collaborators;
    this.arrival = new Arrival(login, collaborators);
    this.watcher = watcher;
    RemoteGpus look = new RemoteGpus(this, collaborators.patience().command());
    this.gpus =
        new GpuQueue(look::sight, look::census, collaborators.clock(), collaborators.threads());
    this.keeping = Thread.ofVirtual().name("remote-" + login.name()).start(this::keep);
  }

  String name() {
    return login.name();
  }

  Login login() {
    return login;
  }

  GpuQueue gpus() {
    return gpus;
  }

  Map<AttemptRef, MachineSeat> seats() {
    return seats;
  }

  // ---- the connection ------------------------------------------------------------------------

  private void keep() {
    int failures = 0;
    try {
      while (!closed) {
        try (Connection connection = collaborators.ssh().connect(login)) {
          ConnectedMachine here = arrival.at(connection);
          synchronized (brought) {
            // It may have been set up anew meanwhile.
            brought.clear();
          }
          watcher.arrived(this, here);
          became(here, null);
          failures = 0;
          LOG.info("connected to machine {}: {}", name(), here.facts().system());
          connection.awaitEnd();
          if (closed) {
            return;
          }
          became(null, MachineAway.passing("hung up"));
          LOG.warn("lost the connection to machine {}", name());
        } catch (MachineAway e) {
          if (closed) {
            return;
          }
          if (failures++ == 0) {
            LOG.warn("could not use machine {}: it {}", name(), e.why());
          }
          became(null, e);
        } catch (RuntimeException e) {
          if (closed) {
            return;
          }
          LOG.warn("could not use machine {}", name(), e);
          became(null, MachineAway.passing("cannot be used: " + e.getMessage()));
          failures++;
        }
        pause(failures);
      }
    } catch (InterruptedException closed) {
      LOG.trace("{} is left.", name());
    }
  }

  /**
   * Notes once more that this server is there: keepers that have lost another one ask the server
   * that came last. Blocks, when the machine is there.
   */
  void announce() {
    ConnectedMachine here = site();
    if (here == null) {
      return;
    }
    try {
      arrival.announce(here);
    } catch (MachineAway e) {
      LOG.info("{} {}", name(), e.why());
    } catch (InterruptedException closing) {
      Thread.currentThread().interrupt();
    }
  }

  private void became(@Nullable ConnectedMachine now, @Nullable MachineAway why) {
    synchronized (this) {
      heardAt = lastHeard();
      site = now;
      trouble = why;
      thereSince = now == null ? null : collaborators.clock().now();
      awaySince = now != null ? null : awaySince == null ? collaborators.clock().now() : awaySince;
      notifyAll();
    }
    watcher.changed(this);
  }

  /**
   * Pauses ever longer, and not for all machines at the same time; until an attempt needs the
   * machine.
   */
  private void pause(int failures) throws InterruptedException {
    MachineTimeouts patience = collaborators.patience();
    long doubled = patience.firstPause().toMillis() << Math.min(Math.max(failures - 1, 0), 10);
    long most = Math.min(doubled, patience.longestPause().toMillis());
    long millis = most + collaborators.random().nextLong(most * JITTER_PERCENT / 100 + 1);
    synchronized (this) {
      long end = System.nanoTime() + millis * 1_000_000;
      while (!hurried && System.nanoTime() < end) {
        wait(Math.max(1, (end - System.nanoTime()) / 1_000_000));
      }
      hurried = false;
    }
  }

  /** Tries again at once, if it is not there. */
  synchronized void hurry() {
    if (site == null && trouble != null) {
      hurried = true;
      trouble = null;
      notifyAll();
    }
  }

  /** What is there now; null when it is not. */
  synchronized @Nullable ConnectedMachine site() {
    ConnectedMachine here = site;
    return here != null && here.connection().isOpen() ? here : null;
  }

  /**
   * Waits until it is there.
   *
   * @param limit after which, or after a failure that a user has to repair, it is not waited for
   */
  synchronized ConnectedMachine await(Duration limit) throws MachineAway, InterruptedException {
    long end = System.nanoTime() + limit.toNanos();
    while (true) {
      ConnectedMachine here = site();
      if (here != null) {
        return here;
      }
      MachineAway why = trouble;
      long left = (end - System.nanoTime()) / 1_000_000;
      if (left <= 0 || (why != null && why.isLasting())) {
        throw why != null ? why : MachineAway.passing("does not answer");
      }
      wait(Math.min(left, 1_000));
    }
  }

  /** What is there, once it is known whether it is; null when it is not. */
  private synchronized @Nullable ConnectedMachine first(Duration limit)
      throws InterruptedException {
    long end = System.nanoTime() + limit.toNanos();
    while (site() == null && trouble == null && !closed) {
      long left = (end - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        return null;
      }
      wait(left);
    }
    return site();
  }

  /** Why it is not there, as a clause about it; null when it is, or that is unknown yet. */
  synchronized @Nullable String trouble() {
    MachineAway why = trouble;
    return site() != null ? null : why == null ? "is being connected to" : why.why();
  }

  /** Why no attempt is sent there now, as a clause about it; null when it is. */
  @Nullable String absence() {
    return site() == null ? trouble() : aside();
  }

  /** Since when it is not there; null when it is. */
  synchronized @Nullable Instant awaySince() {
    return site() != null ? null : awaySince;
  }

  private @Nullable Instant lastHeard() {
    return site != null ? site.connection().heardAt() : heardAt;
  }

  // ---- for people ----------------------------------------------------------------------------

  /**
   * How it is.
   *
   * @param request what an attempt needs of its GPUs; null when they do not matter
   */
  MachineState state(@Nullable GpuRequest request) {
    String absence = absence();
    Integer free = request == null || absence != null ? null : gpus.free(request);
    GpuReport report = request == null ? null : gpus.report();
    List<AttemptRef> sitting = List.copyOf(seats.keySet());
    synchronized (this) {
      return new MachineState(
          PLATFORM,
          name(),
          absence,
          site() != null ? thereSince : awaySince,
          lastHeard(),
          sitting,
          free,
          report);
    }
  }

  /** The state of a machine that was not needed yet. */
  static MachineState unknown(String name) {
    return new MachineState(
        PLATFORM, name, "is not connected to yet", null, null, List.of(), null, null);
  }

  // ---- who runs there ------------------------------------------------------------------------

  /** An attempt could not be started for a reason that others would meet as well. */
  synchronized void setAside(String why) {
    asideBecause = why;
    asideUntil = collaborators.clock().now().plus(collaborators.patience().aside());
  }

  /** Why it gets no attempts although it is there; null when it does. */
  synchronized @Nullable String aside() {
    return collaborators.clock().now().isBefore(asideUntil) ? asideBecause : null;
  }

  /**
   * How an attempt is there, by the machine's own account; null when it knows nothing of it. Looked
   * at anew once a tick.
   *
   * @param after the account must be younger
   */
  @Nullable String word(AttemptRef attempt, ConnectedMachine here, Instant after)
      throws MachineAway, InterruptedException {
    // A lock of its own: those who ask whether the machine is there do not wait for what it
    // answers.
    synchronized (counting) {
      Instant now = collaborators.clock().now();
      Instant at = censusAt;
      if (!here.equals(counted)
          || at == null
          || !at.isAfter(after)
          || now.isAfter(at.plus(collaborators.patience().tick()))) {
        census = here.census(collaborators.patience().command());
        censusAt = now;
        counted = here;
      }
      return census.get(ConnectedMachine.key(attempt));
    }
  }

  /** Makes sure that code is there; it is fetched once for each content. */
  void bring(ConnectedMachine here, String digest, String experiment, String token)
      throws MachineAway, Unstarted, InterruptedException {
    synchronized (brought) {
      String what = experiment + " " + digest;
      if (brought.contains(what)) {
        return;
      }
      Said said = here.bring(digest, experiment, token, collaborators.patience().transfer());
      if (said.exitCode() != 0) {
        String why = "the code cannot be brought to " + name() + ": " + said.complaint();
        throw said.exitCode() == CODE_IS_AT_FAULT ? Unstarted.forGood(why) : Unstarted.here(why);
      }
      if (!new ExperimentId(experiment).isOfRun()) {
        // The code of a step is that of one attempt.
        brought.add(what);
      }
    }
  }

  /** Removes what an experiment has left there, if it is there, or comes now. */
  void clean(String experiment) throws InterruptedException {
    ConnectedMachine here = first(collaborators.patience().connect());
    if (here == null) {
      return;
    }
    synchronized (brought) {
      brought.removeIf(what -> what.startsWith(experiment + " "));
      try {
        here.connection()
            .run(
                Script.CLEAN.with(Map.of("base", here.facts().base(), "experiment", experiment)),
                collaborators.patience().transfer());
      } catch (MachineAway e) {
        LOG.info("{} {}, so that files of experiment {} stay", name(), e.why(), experiment);
      }
    }
  }

  void close() {
    closed = true;
    gpus.close();
    keeping.interrupt();
    ConnectedMachine here;
    synchronized (this) {
      here = site;
      site = null;
    }
    if (here != null) {
      here.connection().close();
    }
  }
}
