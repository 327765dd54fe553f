package io.orrery.gateway.tensorboard;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.experiment.ExperimentEvent;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialRef;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import io.orrery.core.trial.Trial;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The TensorBoards that were started to look at trials. What their trials report is added to their
 * files while they run. Each ends when it is stopped, when its experiment is deleted, and with the
 * server, however that ends. Lives on the edge's event loop.
 */
public final class Boards {
  private static final Logger LOG = LoggerFactory.getLogger(Boards.class);

  /** Each is a process with some hundred megabytes. */
  private static final int MOST = 8;

  /** As many as the page ticks. */
  private static final int MOST_TRIALS = 50;

  private static final Duration LOOK_AGAIN = Duration.ofSeconds(10);

  private final Bus bus;
  private final Clock clock;
  private final Path root;
  private final Supplier<String> paths;
  private final Ports ports = new Ports();
  private final Map<Integer, Board> boards = new TreeMap<>();
  private @Nullable Context context;
  private @Nullable HttpClient client;

  /**
   * @param root holds a directory for each of them while it runs, and nothing else
   * @param paths makes the path below which one answers: a slash and a secret, or nothing for one
   *     that all programs of the machine may ask
   */
  public Boards(Bus bus, Clock clock, Path root, Supplier<String> paths) {
    this.bus = bus;
    this.clock = clock;
    this.root = root;
    this.paths = paths;
  }

  /** The edge listens: from now on they may be started. */
  void listening() {
    Context here = Objects.requireNonNull(Vertx.currentContext(), "called on an event loop");
    context = here;
    client = here.owner().createHttpClient();
    bus.listen(
        Experiments.NEWS,
        event -> {
          if (event instanceof ExperimentEvent.Deleted(ExperimentId id, _)) {
            here.runOnContext(gone -> of(id).forEach(this::end));
          }
        });
    // What a server that was killed has left.
    here.executeBlocking(() -> removed(root), false)
        .onFailure(e -> LOG.warn("could not remove {}: {}", root, e.getMessage()));
  }

  /** The server goes down. */
  void close() {
    List.copyOf(boards.values()).forEach(this::end);
  }

  /** Those of an experiment. */
  public List<Board> of(ExperimentId experiment) {
    return boards.values().stream().filter(board -> board.experiment().equals(experiment)).toList();
  }

  /** NotFound when the experiment has none of this id that runs. */
  public Board get(ExperimentId experiment, String id) {
    return of(experiment).stream()
        .filter(board -> board.id().equals(id))
        .findFirst()
        .orElseThrow(() ->
            new Problem.NotFound("Experiment " + experiment + " has no TensorBoard '" + id + "'.")
                .toException());
  }

  /**
   * Starts one; the answer comes when it serves.
   *
   * <p>Refused for no trial or too many; NotFound for a trial that is not there; Conflict when too
   * many run already, there is no such program, or it ends instead of serving.
   */
  public Future<Board> start(ExperimentId experiment, List<TrialRef> asked) {
    return trials(asked).compose(trials -> start(experiment, trials, take()));
  }

  /**
   * Fails as {@link #start} would, and starts none. Whether the program comes up is not known
   * before.
   */
  Future<Void> check(List<TrialRef> asked) {
    return trials(asked)
        .compose(trials -> {
          int port = take();
          ports.giveBack(port);
          return context().executeBlocking(Program::isThere, false);
        })
        .map(there -> {
          if (!there) {
            throw Program.missing().toException();
          }
          return null;
        });
  }

  private Future<List<Trial>> trials(List<TrialRef> asked) {
    List<TrialRef> refs = List.copyOf(new LinkedHashSet<>(asked));
    if (refs.isEmpty() || refs.size() > MOST_TRIALS) {
      return Future.failedFuture(
          new Problem.Refused(
                  new Finding("/trials", "1 to " + MOST_TRIALS + " trials, not " + refs.size()))
              .toException());
    }
    return Future.all(
            refs.stream().map(ref -> bus.request(Trials.GET, new Trials.Get(ref))).toList())
        .map(found -> found.<Trial>list());
  }

  /** Takes a port, while there is room for one more. */
  private int take() {
    if (ports.taken() >= MOST) {
      throw new Problem.Conflict(MOST + " TensorBoards run already; stop one of them first.")
          .toException();
    }
    return ports.take();
  }

  private Future<Board> start(ExperimentId experiment, List<Trial> trials, int port) {
    Path directory = root.resolve(Integer.toString(port));
    String path = paths.get();
    List<TrialRun> runs = trials.stream().map(t -> new TrialRun(bus, t, directory)).toList();
    return context()
        .executeBlocking(() -> Files.createDirectories(directory), false)
        .compose(made -> extend(runs))
        .compose(written -> Program.start(context(), directory, port, path))
        .onFailure(e -> forget(port, directory))
        .compose(program ->
            program
                .up(Objects.requireNonNull(client), clock)
                // It may have been deleted meanwhile.
                .compose(up -> bus.request(Experiments.GET, new Experiments.Get(experiment)))
                .map(exists -> new Board(experiment, runs, port, path, program, clock.now()))
                .onSuccess(this::serving)
                .onFailure(e -> program.end(clock))
                // Not before it is known why it did not come up: its log tells.
                .onComplete(known -> program.ended().onComplete(gone -> forget(port, directory))));
  }

  private void serving(Board board) {
    boards.put(board.port(), board);
    LOG.info(
        "experiment {}: TensorBoard serves {} trials at port {}",
        board.experiment(),
        board.trials().size(),
        board.port());
    lookAgain(board);
  }

  private void lookAgain(Board board) {
    clock.after(
        LOOK_AGAIN,
        () -> {
          if (runs(board)) {
            refresh(board)
                .onFailure(e -> LOG.warn("TensorBoard {}: {}", board.id(), e.getMessage()))
                .onComplete(looked -> lookAgain(board));
          }
        });
  }

  private boolean runs(Board board) {
    return boards.get(board.port()) == board;
  }

  /** Writes down now what its trials have reported meanwhile. */
  public Future<Void> refresh(Board board) {
    return extend(board.runs());
  }

  /** One after the other: no client waits for it, and others have questions too. */
  private Future<Void> extend(List<TrialRun> runs) {
    Future<Void> done = Future.succeededFuture();
    for (TrialRun run : runs) {
      done = done.compose(before -> run.extend(context()));
    }
    return done;
  }

  /** Stops one; completes when it has ended. */
  public Future<Void> stop(Board board) {
    end(board);
    return board.program().ended().mapEmpty();
  }

  private void end(Board board) {
    boards.remove(board.port(), board);
    board.program().end(clock);
  }

  /** The port is free again when nothing of it is left. */
  private void forget(int port, Path directory) {
    boards.remove(port);
    context()
        .executeBlocking(() -> removed(directory), false)
        .onFailure(e -> LOG.warn("could not remove {}: {}", directory, e.getMessage()))
        .onComplete(gone -> ports.giveBack(port));
  }

  private Context context() {
    return Objects.requireNonNull(context, "the edge does not listen yet");
  }

  /** A tree with all that is in it; links go, what they point to stays. */
  private static Path removed(Path tree) throws IOException {
    if (Files.exists(tree)) {
      Files.walkFileTree(
          tree,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
              Files.delete(file);
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure)
                throws IOException {
              Files.delete(directory);
              return FileVisitResult.CONTINUE;
            }
          });
    }
    return tree;
  }
}
