package io.orrery.orchestrator.experiment.store;

import io.orrery.core.bus.contract.Transfers.Source;
import io.orrery.core.bus.contract.Transfers.Sources;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.json.Json;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.vertx.core.Future;
import java.util.List;
import java.util.stream.IntStream;

/** The sources of experiments: what each was given of earlier ones when it was created. */
public final class SourceTable {
  private final Store store;

  public SourceTable(Store store) {
    this.store = store;
  }

  /** The statements that add the sources of a new experiment. */
  public static List<Statement> insert(ExperimentId experiment, List<Source> sources) {
    return IntStream.range(0, sources.size())
        .mapToObj(place ->
            Statement.of(
                "insert into experiment_sources (experiment, place, source, document)"
                    + " values (?, ?, ?, ?)",
                experiment.value(),
                place,
                sources.get(place).experiment().value(),
                Json.write(sources.get(place))))
        .toList();
  }

  /** The statement that forgets the sources of an experiment. */
  public static Statement delete(ExperimentId experiment) {
    return Statement.of("delete from experiment_sources where experiment = ?", experiment.value());
  }

  /** The sources of an experiment; none where it was given none. */
  public Future<Sources> of(ExperimentId experiment) {
    return store
        .read(
            Statement.of(
                "select document from experiment_sources where experiment = ? order by place",
                experiment.value()),
            row -> Json.read(row.text("document"), Source.class))
        .map(Sources::new);
  }
}
