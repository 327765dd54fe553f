package io.orrery.orchestrator.action;

import io.orrery.core.bus.contract.Workloads;
import io.orrery.core.bus.contract.Workloads.Workload;
import io.orrery.core.image.EnvironmentName;
import io.orrery.core.problem.Problem;
import io.orrery.core.project.Mounts;
import io.orrery.core.project.VolumeKind;
import io.orrery.core.project.VolumeMount;
import io.orrery.core.run.StepContainer;
import io.orrery.core.workload.Resources;
import io.orrery.core.workload.WorkloadKind;
import io.orrery.core.workload.WorkloadRef;
import io.orrery.core.workload.WorkloadSpec;
import io.orrery.core.workload.WorkloadStatus;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a program for shells in the directory of a step, as a workload of the run's name. It is
 * removed when the attempt is ended.
 */
final class ShellWork implements ServerWork {
  private static final Duration LOOK = Duration.ofSeconds(2);
  private static final Duration FAILED_FOR = Duration.ofSeconds(20);

  /** Longer than any attempt lasts. */
  private static final List<String> WAITING = List.of("sleep", "infinity");

  private final WorkContext context;
  private final Path directory;
  private final @Nullable String image;

  /** Null for a program of this machine. */
  private final @Nullable StepContainer host;

  private final Map<String, String> environment;
  private final Promise<Map<String, String>> over = Promise.promise();
  private boolean canceled;
  private boolean left;

  ShellWork(
      WorkContext context,
      Path directory,
      @Nullable StepContainer container,
      Map<String, String> environment) {
    this.context = context;
    this.directory = directory;
    this.image = container == null ? null : container.image();
    this.host = EnvironmentName.isContainer(image) ? container : null;
    this.environment = environment;
  }

  private WorkloadRef workload() {
    return new WorkloadRef(WorkloadKind.SHELL, context.run().value());
  }

  @Override
  public Future<Map<String, String>> start() {
    if (canceled) {
      end("the shell was ended");
      return over.future();
    }
    context
        .bus()
        .request(
            Workloads.WANT,
            new Workloads.Want(
                workload(),
                context.project(),
                context.runner(),
                host == null ? Workloads.HERE : host.cluster(),
                context.attempt(),
                spec(),
                null,
                1,
                null))
        .onSuccess(wanted -> look())
        .onFailure(over::tryFail);
    return over.future();
  }

  private WorkloadSpec spec() {
    return new WorkloadSpec(
        WAITING,
        image,
        // In a container it is mounted, so that it can be changed.
        host == null ? directory.toString() : null,
        environment,
        List.of(),
        null,
        Duration.ofMinutes(5),
        Duration.ofSeconds(1),
        Resources.UNLIMITED,
        mounts());
  }

  private Mounts mounts() {
    if (host == null) {
      return Mounts.NONE;
    }
    String path = directory.toString();
    return new Mounts(List.of(new VolumeMount(VolumeKind.HOSTPATH, path, path)))
        .and(Mounts.read(host.mounts()).value());
  }

  private void look() {
    if (left || over.future().isComplete()) {
      return;
    }
    if (canceled) {
      end("the shell was ended");
      return;
    }
    context
        .bus()
        .request(Workloads.GET, new Workloads.Get(workload()))
        .onSuccess(this::judge)
        .onFailure(failure -> {
          if (Problem.of(failure) instanceof Problem.NotFound) {
            over.tryFail(failure);
          } else {
            lookAgain();
          }
        });
  }

  private void judge(Workload found) {
    if (found.status() == WorkloadStatus.FAILED
        && found.since().isBefore(context.clock().now().minus(FAILED_FOR))) {
      end("the program for shells does not run: " + found.reason());
    } else {
      lookAgain();
    }
  }

  private void lookAgain() {
    if (!left) {
      context.clock().after(LOOK, this::look);
    }
  }

  /** Removes the workload, and ends the attempt when that is durable. */
  private void end(String why) {
    context
        .bus()
        .request(Workloads.REMOVE, new Workloads.Remove(workload()))
        .onComplete(removed -> {
          boolean gone =
              removed.succeeded() || Problem.of(removed.cause()) instanceof Problem.NotFound;
          if (gone) {
            over.tryFail(new Problem.Conflict(why).toException());
          } else if (!left) {
            context.clock().after(LOOK, () -> end(why));
          }
        });
  }

  @Override
  public void leave() {
    left = true;
  }

  @Override
  public void cancel() {
    canceled = true;
    if (!over.future().isComplete()) {
      end("the shell was ended");
    }
  }
}
