package io.orrery.studio.due;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.PipelineRuns;
import io.orrery.core.problem.Problem;
import io.orrery.core.run.PipelineName;
import io.orrery.core.run.RunId;
import io.orrery.core.run.RunStatus;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.orrery.core.time.Clock;
import io.orrery.studio.schedule.DueIds;
import io.orrery.studio.schedule.DueRunTable;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Follows the runs of due runs, many with one question. */
final class RunWatch {
  private static final Logger LOG = LoggerFactory.getLogger(RunWatch.class);

  /** The time that news of several runs are gathered for. */
  private static final Duration GATHERING = Duration.ofMillis(100);

  private static final int MOST_UNSETTLED = 20_000;

  private final Bus bus;
  private final Store store;
  private final Clock clock;
  private final DueRunTable rows;
  private final Consumer<PipelineName> moved;
  private final Set<RunId> news = new LinkedHashSet<>();
  private Clock.@Nullable Timer timer;
  private boolean asking;
  private boolean closed;

  /**
   * @param moved told of each pipeline whose runs have changed
   */
  RunWatch(Bus bus, Store store, Clock clock, Consumer<PipelineName> moved) {
    this.bus = bus;
    this.store = store;
    this.clock = clock;
    this.rows = new DueRunTable(store);
    this.moved = moved;
  }

  /** A run has changed. */
  void changed(RunId run) {
    if (DueIds.mayBeDue(run) && !closed) {
      news.add(run);
      askSoon();
    }
  }

  /** Asks for all whose news may have been missed. */
  void lookAll() {
    rows.unsettled(MOST_UNSETTLED)
        .onSuccess(runs -> {
          news.addAll(runs);
          askSoon();
        })
        .onFailure(
            failure -> LOG.warn("could not read the due runs: {}", Problem.of(failure).detail()));
  }

  private void askSoon() {
    if (timer == null && !asking && !closed && !news.isEmpty()) {
      timer = clock.after(GATHERING, this::ask);
    }
  }

  private void ask() {
    timer = null;
    asking = true;
    List<RunId> runs = news.stream().limit(PipelineRuns.MOST_STATUSES).toList();
    runs.forEach(news::remove);
    bus.request(PipelineRuns.STATUSES, new PipelineRuns.AskStatuses(runs))
        .compose(answer -> rows.followed(runs).compose(known -> note(answer, known)))
        .onSuccess(pipelines -> pipelines.forEach(moved))
        .onFailure(failure ->
            LOG.warn("could not follow the runs of schedules: {}", Problem.of(failure).detail()))
        .onComplete(done -> {
          asking = false;
          askSoon();
        });
  }

  /** Stores the statuses that differ from those that are known; answers with their pipelines. */
  private Future<Set<PipelineName>> note(
      PipelineRuns.Statuses answer, List<DueRunTable.Followed> known) {
    Map<RunId, RunStatus> present = new HashMap<>();
    answer.items().forEach(each -> present.put(each.id(), each.status()));
    List<Statement> statements = new ArrayList<>();
    Set<PipelineName> pipelines = new LinkedHashSet<>();
    for (DueRunTable.Followed each : known) {
      RunStatus status = present.get(each.run());
      if (status != null && status != each.status()) {
        statements.add(DueRunTable.seen(each.run(), status));
        pipelines.add(each.pipeline());
      }
    }
    return statements.isEmpty()
        ? Future.succeededFuture(pipelines)
        : store.write(statements).map(pipelines);
  }

  void close() {
    closed = true;
    if (timer != null) {
      timer.cancel();
    }
  }
}
