package io.orrery.compute.gpu;

import io.orrery.compute.service.GpuReport;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Gpus;
import io.orrery.core.bus.contract.Gpus.GpuHolder;
import io.orrery.core.bus.contract.Gpus.MachineGpus;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.run.RunId;
import io.orrery.core.time.Clock;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The verticle that looks now and then at how much the GPUs of this machine are used, and tells all
 * servers. On a machine without nvidia-smi it only looks whether there is one.
 */
public final class GpuWatch extends VerticleBase {
  private static final Logger LOG = LoggerFactory.getLogger(GpuWatch.class);

  /** Between two looks. */
  public static final Duration PAUSE = Duration.ofSeconds(30);

  /** The pauses after which the word of a silent server counts no more. */
  private static final int FORGOTTEN = 6;

  private final Bus bus;
  private final Clock clock;
  private final String machine;
  private final Supplier<GpuReading.All> probe;
  private final Supplier<Future<@Nullable GpuReport>> report;
  private final Duration pause;
  private final GpuStates states;
  private final Map<String, MachineGpus> all = new HashMap<>();
  private Clock.@Nullable Timer next;
  private boolean told;

  /**
   * @param machine its name
   * @param probe looks at the devices; may block
   * @param report says who holds which of them; null where the server gives none
   * @param patience after which a GPU that is held and not used is idle
   */
  public GpuWatch(
      Bus bus,
      Clock clock,
      String machine,
      Supplier<GpuReading.All> probe,
      Supplier<Future<@Nullable GpuReport>> report,
      Duration pause,
      Duration patience) {
    this.bus = bus;
    this.clock = clock;
    this.machine = machine;
    this.probe = probe;
    this.report = report;
    this.pause = pause;
    this.states = new GpuStates(patience);
  }

  @Override
  public Future<?> start() {
    bus.listen(
        Gpus.SEEN,
        seen -> {
          if (seen.gpus().isEmpty() && seen.failure() == null) {
            all.remove(seen.machine());
          } else {
            all.put(seen.machine(), seen);
          }
        });
    look();
    return bus.serve(Gpus.ALL, asked -> Future.succeededFuture(all()));
  }

  @Override
  public Future<?> stop() {
    if (next != null) {
      next.cancel();
    }
    return Future.succeededFuture();
  }

  private Gpus.AllGpus all() {
    Duration life = pause.multipliedBy(FORGOTTEN);
    all.values().removeIf(each -> each.at().plus(life).isBefore(clock.now()));
    return new Gpus.AllGpus(
        all.values().stream().sorted(Comparator.comparing(MachineGpus::machine)).toList());
  }

  private void look() {
    Future.all(vertx.executeBlocking(probe::get, false), report.get())
        .map(read -> seen(read.resultAt(0), read.resultAt(1)))
        .onSuccess(seen -> {
          boolean any = !seen.gpus().isEmpty() || seen.failure() != null;
          if (any || told) {
            told = any;
            bus.publish(Gpus.SEEN, seen);
          }
        })
        .onFailure(failure -> LOG.warn("could not look at the GPUs: {}", failure.getMessage()))
        .onComplete(done -> next = clock.after(pause, this::look));
  }

  private MachineGpus seen(GpuReading.All readings, @Nullable GpuReport known) {
    Map<Integer, List<GpuHolder>> holders = new HashMap<>();
    if (known != null) {
      for (GpuReport.Gpu gpu : known.gpus()) {
        List<GpuHolder> here = new ArrayList<>();
        gpu.trials().stream()
            .map(attempt -> holder(attempt.trial().experiment()))
            .distinct()
            .forEach(here::add);
        gpu.replicas().stream()
            .map(replica ->
                new GpuHolder(replica.workload().kind().word(), replica.workload().name()))
            .distinct()
            .forEach(here::add);
        holders.put(gpu.index(), here);
      }
    }
    return new MachineGpus(
        machine,
        clock.now(),
        readings.failure(),
        states.note(clock.now(), readings.gpus(), holders));
  }

  private static GpuHolder holder(ExperimentId owner) {
    return owner.isOfRun()
        ? new GpuHolder("run", RunId.ofOwner(owner).toString())
        : new GpuHolder("experiment", owner.value());
  }
}
