package io.orrery.orchestrator.quota;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.json.Json;
import io.orrery.core.quota.Amounts;
import io.orrery.core.quota.QuotaResource;
import io.orrery.core.run.StepContainer;
import io.orrery.core.run.StepSpec;
import io.orrery.core.run.StepWork;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads what one trial of an experiment, or one attempt of a step, is charged. */
public final class TrialCharge {
  private static final List<String> KUBEFLOW =
      List.of("chief", "master", "worker", "ps", "evaluator");
  private static final BigDecimal THOUSAND = BigDecimal.valueOf(1_000);
  private static final BigDecimal MEGABYTE = BigDecimal.valueOf(1 << 20);

  private TrialCharge() {}

  /** A trial, and what it is given. */
  public static Amounts of(JobSpec job) {
    return given(job).plus(Amounts.of(QuotaResource.TRIALS, 1));
  }

  /** What one attempt is given, as far as its specification says: all of its pods together. */
  private static Amounts given(JobSpec job) {
    JsonNode service = Json.MAPPER.valueToTree(job.trainingService().settings().values());
    Integer wish = job.gpuNumber();
    int gpus = wish == null ? 0 : wish;
    return switch (job.trainingService().platform()) {
      case "kubernetes", "adl" -> ofPods(service, wish, 1);
      case "kubeflow" ->
          KUBEFLOW.stream()
              .filter(service::has)
              .map(role -> ofPods(service.path(role), wish, replicas(service.path(role))))
              .reduce(Amounts.NONE, Amounts::plus);
      case "frameworkcontroller" ->
          service
              .path("taskRoles")
              .valueStream()
              .map(role -> ofPods(role, wish, role.path("taskNumber").asInt(1)))
              .reduce(Amounts.NONE, Amounts::plus);
      case "openpai" -> ofOpenPai(service, gpus);
      default -> amounts(0, 0, gpus);
    };
  }

  private static int replicas(JsonNode role) {
    return role.path("replicas").asInt(1);
  }

  private static Amounts ofPods(JsonNode pod, @Nullable Integer wish, int number) {
    boolean shared = pod.path("reuseMode").asBoolean() && wish != null;
    int gpus =
        shared || !pod.has("gpuNumber") ? (wish == null ? 0 : wish) : pod.path("gpuNumber").asInt();
    return amounts(thousandths(pod.path("cpuNumber")), megabytes(pod.path("memorySize")), gpus)
        .times(number);
  }

  private static Amounts ofOpenPai(JsonNode service, int gpus) {
    JsonNode roles = service.path("openpaiConfig").path("taskRoles");
    if (!roles.isObject()) {
      return amounts(
          thousandths(service.path("trialCpuNumber")),
          megabytes(service.path("trialMemorySize")),
          gpus);
    }
    return roles
        .valueStream()
        .map(role -> {
          JsonNode each = role.path("resourcePerInstance");
          return amounts(
                  thousandths(each.path("cpu")),
                  megabytes(each.path("memoryMB")),
                  each.path("gpu").asInt())
              .times(role.path("instances").asInt(1));
        })
        .reduce(Amounts.NONE, Amounts::plus);
  }

  /** An attempt of a step: the limits of its containers, and their GPUs. */
  public static Amounts of(StepSpec step) {
    Integer wish = step.gpus();
    int gpus = wish == null ? 0 : wish;
    StepContainer container = StepContainer.in(step);
    if (container == null || step.work() instanceof StepWork.OfServer) {
      return amounts(0, 0, gpus);
    }
    Amounts pod = amounts(container.milliCores(), container.bytes(), gpus);
    return container.team() == null ? pod : pod.times(container.team().pods());
  }

  private static long thousandths(JsonNode cores) {
    return cores.decimalValue().multiply(THOUSAND).setScale(0, RoundingMode.CEILING).longValue();
  }

  private static long megabytes(JsonNode number) {
    return number.decimalValue().multiply(MEGABYTE).longValue();
  }

  private static Amounts amounts(long cpu, long memory, long gpus) {
    return new Amounts(
        new EnumMap<>(
            Map.of(QuotaResource.CPU, cpu, QuotaResource.MEMORY, memory, QuotaResource.GPU, gpus)));
  }
}
