package io.orrery.tuner.host;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Transfers;
import io.orrery.core.bus.contract.Tuners.Open;
import io.orrery.tuner.search.Setting;
import io.orrery.tuner.search.SourceTask;
import io.orrery.tuner.search.TunerFactory;
import io.vertx.core.Future;
import java.util.List;
import java.util.Objects;

/**
 * Makes a tuner that learns from earlier experiments and from costs: what the experiment was given
 * of them is fetched first. That never changes, so that a tuner that is made anew goes on as the
 * one before would have.
 */
record LearningTuner(Bus bus, TunerFactory factory, Setting setting, Open of)
    implements HostedTuner.Opening {
  @Override
  public Future<HostedTuner.Opening> prepared() {
    return bus.request(Transfers.SOURCES, new Transfers.SourcesOf(of.experiment()))
        .map(found -> resumed -> open(tasks(found)));
  }

  @Override
  public HostedTuner open(boolean resumed) {
    return open(List.of());
  }

  private HostedTuner open(List<SourceTask> tasks) {
    Setting informed =
        new Setting(
            setting.space(),
            setting.arguments(),
            setting.objectives(),
            setting.seed(),
            setting.directory(),
            tasks,
            of.cost());
    return new BuiltInTuner(factory.open(informed), of.objectives(), of.cost());
  }

  /** Earlier experiments as a search sees them. */
  static List<SourceTask> tasks(Transfers.Sources found) {
    return found.sources().stream()
        .map(source ->
            new SourceTask(
                source.experiment().value(),
                source.samples().stream()
                    .map(sample ->
                        new SourceTask.Sample(
                            sample.parameters(),
                            Objects.requireNonNullElse(sample.loss(), Double.NaN)))
                    .toList()))
        .toList();
  }
}
