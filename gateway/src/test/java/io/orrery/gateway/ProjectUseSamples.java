package io.orrery.gateway;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.contract.Gpus;
import io.orrery.core.bus.contract.People;
import io.orrery.core.bus.contract.Quotas;
import io.orrery.core.bus.contract.Retentions;
import io.orrery.core.bus.contract.Secrets;
import io.orrery.core.bus.contract.UsageHistory;
import io.orrery.core.bus.contract.Workloads;
import io.orrery.core.problem.Finding;
import io.orrery.core.quota.Amounts;
import io.orrery.core.quota.QuotaLimits;
import io.orrery.core.quota.QuotaResource;
import io.orrery.gateway.ApiSamples.Sample;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A request of each operation upon quotas, secrets and settings, and the answers to them. */
final class ProjectUseSamples {
  static final Map<String, Sample> ALL = new LinkedHashMap<>();

  /** Operations that the members of a project may do. */
  static final Set<String> SEEN =
      Set.of("getProjectUsage", "listSecrets", "getSecret", "checkProject");

  private static final String PROJECT = "/api/v1/projects/vision";

  static {
    ALL.put("checkProject", new Sample("POST", PROJECT + "/check", "{}"));
    ALL.put("getProjectUsage", new Sample("GET", PROJECT + "/usage", ""));
    ALL.put("listUsage", new Sample("GET", "/api/v1/usage?step=1d&by=object", ""));
    ALL.put("exportUsage", new Sample("GET", "/api/v1/usage/export?project=vision", ""));
    ALL.put("listGpus", new Sample("GET", "/api/v1/usage/gpus", ""));
    ALL.put("listRetention", new Sample("GET", "/api/v1/retention", ""));
    ALL.put(
        "previewRetention",
        new Sample("GET", "/api/v1/retention/preview?kind=runs&keepDays=7", ""));
    ALL.put("putRetention", new Sample("PUT", "/api/v1/retention/runs", "{\"keepDays\":100}"));
    ALL.put("runRetention", new Sample("POST", "/api/v1/retention/run", "{}"));
    ALL.put("listSecrets", new Sample("GET", PROJECT + "/secrets", ""));
    ALL.put("getSecret", new Sample("GET", PROJECT + "/secrets/hook", ""));
    ALL.put("putSecret", new Sample("PUT", PROJECT + "/secrets/hook", "{\"value\":\"x\"}"));
    ALL.put("deleteSecret", new Sample("DELETE", PROJECT + "/secrets/hook", ""));
  }

  private ProjectUseSamples() {}

  private static void retention(EdgeServer edge) throws Exception {
    var rule =
        new Retentions.Rule(
            Retentions.Kind.RUNS,
            100,
            "ann",
            Samples.THEN,
            new Retentions.Pass(Samples.THEN, 3, 1, null));
    edge.answer(Retentions.LIST, new Retentions.Rules(List.of(rule)));
    edge.answer(Retentions.RUN, new Retentions.Rules(List.of(rule)));
    edge.answer(Retentions.PUT, rule);
    edge.answer(
        Retentions.PREVIEW,
        new Retentions.Preview(
            List.of(
                new Retentions.OldObject(
                    Retentions.Kind.RUNS,
                    "r1",
                    new ProjectName("vision"),
                    1,
                    Samples.THEN,
                    "version 1 of model digits")),
            false));
  }

  static void answer(EdgeServer edge) throws Exception {
    var secret = new Secrets.ProjectSecret("hook", "ann", Samples.THEN, 1);
    edge.answer(Secrets.LIST, new Secrets.ProjectSecretList(List.of(secret)));
    edge.answer(Secrets.PUT, secret);
    retention(edge);
    edge.answer(
        Workloads.PREFLIGHT,
        new Workloads.Preflighted(List.of(new Finding("/cluster", "there is no such")), List.of()));
    edge.answer(Secrets.DELETE, new People.Done());
    edge.answer(
        Gpus.ALL,
        new Gpus.AllGpus(
            List.of(
                new Gpus.MachineGpus(
                    "box",
                    Samples.THEN,
                    null,
                    List.of(
                        new Gpus.GpuUse(
                            0,
                            "A100",
                            Gpus.GpuState.IDLE,
                            0,
                            1_024L,
                            Samples.THEN,
                            List.of(new Gpus.GpuHolder("experiment", "abcd1234"))))))));
    Amounts used = Amounts.of(QuotaResource.GPU, 6);
    edge.answer(
        UsageHistory.HISTORY,
        new UsageHistory.History(
            List.of(
                new UsageHistory.Used(
                    Samples.THEN,
                    "vision",
                    "ann",
                    "experiment",
                    "abcd1234",
                    Amounts.of(QuotaResource.CPU, 5_400_000)))));
    edge.answer(
        Quotas.USAGE,
        new Quotas.Usage(
            new QuotaLimits(
                Map.of(QuotaResource.GPU, 8L, QuotaResource.CPU, 1_500L),
                Map.of(QuotaResource.GPU, 2L)),
            used,
            List.of(new Quotas.MemberUsage("ann", used)),
            List.of(new Quotas.ObjectUsage("experiment", "abcd1234", "ann", used, Samples.THEN))));
  }
}
