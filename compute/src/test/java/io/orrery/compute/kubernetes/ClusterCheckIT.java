package io.orrery.compute.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.compute.kubeflow.KubeflowServiceFactory;
import io.orrery.compute.service.Callback;
import io.orrery.compute.service.TrainingService;
import io.orrery.core.bus.contract.TrainingServices.Item;
import io.orrery.core.bus.contract.TrainingServices.Verdict;
import io.orrery.core.json.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Tests everything that can be in the way of trials, and how it is told before one runs. */
class ClusterCheckIT extends StillClusterFixture {
  @Override
  protected void beforeService() throws Exception {
    super.beforeService();
    settings.put("cpuNumber", 2.0);
    settings.put("memorySize", 1024L);
  }

  @Test
  void aClusterThatHasEverythingIsGoodThroughout() throws Exception {
    cluster.allow(RoleManifestTest.MANIFEST);
    List<Item> items = check();

    assertThat(items)
        .extracting(Item::what)
        .containsExactly(
            "API server",
            "namespace",
            "kind of job",
            "permissions",
            "quota",
            "storage",
            "callback");
    assertThat(items)
        .filteredOn(item -> item.verdict() != Verdict.GOOD)
        .singleElement()
        .satisfies(item -> assertThat(item.found()).contains("nodes on this very machine only"));
    assertThat(item(items, "API server").found()).contains("v1.36.2");
    assertThat(cluster.requests()).noneMatch(request -> request.startsWith("PATCH"));
  }

  @Test
  void everyVerbThatIsMissingIsNamed() throws Exception {
    Set<String> less = new TreeSet<>(Rules.of(RoleManifestTest.MANIFEST).allowed());
    less.remove("delete batch/jobs");
    less.remove("patch /secrets");
    less.remove("list /resourcequotas");
    cluster.allow(new Rules(less));

    List<Item> missing =
        check().stream().filter(item -> item.what().equals("permissions")).toList();

    assertThat(missing)
        .extracting(Item::found)
        .containsExactlyInAnyOrder(
            "not allowed to delete jobs.batch",
            "not allowed to patch secrets",
            "not allowed to list resourcequotas: only this check needs it");
    assertThat(missing).extracting(Item::remedy).allMatch(remedy -> remedy.contains("rbac.yaml"));
    assertThat(missing)
        .extracting(Item::verdict)
        .containsOnly(Verdict.BAD, Verdict.DOUBTFUL)
        .hasSize(3);
  }

  @Test
  void aQuotaThatHasNoRoomIsBadAndOneWithLittleIsDoubtful() throws Exception {
    quota("team", "requests.cpu", "10", "9500m");
    quota("small", "count/jobs.batch", "100", "10");

    Item quota = item(check(), "quota");

    assertThat(quota.verdict()).isEqualTo(Verdict.BAD);
    assertThat(quota.found())
        .isEqualTo("'team' has 9500m of 10 requests.cpu in use: room for 0 of 1 trials");
  }

  @Test
  void aQuotaOnWhatPodsDoNotNameIsDoubtful() throws Exception {
    settings.remove("memorySize");
    quota("team", "limits.memory", "10Gi", "0");

    assertThat(item(check(), "quota").remedy()).contains("memorySize");
  }

  @Test
  void anApiServerThatIsAwayIsAllThatIsSaid() throws Exception {
    Path file = directory.resolve("nowhere");
    Files.writeString(
        file,
        Files.readString(kubeconfig).replaceAll("http://localhost:\\d+", "http://127.0.0.1:9"));
    settings.put("kubeconfig", file.toString());

    assertThat(check())
        .singleElement()
        .satisfies(item -> {
          assertThat(item.verdict()).isEqualTo(Verdict.BAD);
          assertThat(item.found()).contains("127.0.0.1:9", "cannot be reached");
        });
  }

  @Test
  void aContextThatIsNotThereIsSaid() throws Exception {
    settings.put("context", "nowhere");

    assertThat(check())
        .singleElement()
        .satisfies(item -> assertThat(item.found()).contains("no context 'nowhere'"));
  }

  @Test
  void aClaimThatIsNotThereIsBad() throws Exception {
    settings.put("storage", Map.of("storageType", "pvc", "claimName", "outputs"));

    assertThat(item(check(), "storage").found()).isEqualTo("there is no claim outputs");

    ObjectNode claim = Json.MAPPER.createObjectNode().put("apiVersion", "v1");
    claim.put("kind", "PersistentVolumeClaim").putObject("metadata").put("name", "outputs");
    claim.putObject("spec").putArray("accessModes").add("ReadWriteMany");
    claim.putObject("status").put("phase", "Bound");
    cluster.create(NAMESPACE + "persistentvolumeclaims", claim);

    assertThat(item(check(), "storage"))
        .isEqualTo(Item.good("storage", "the claim outputs is Bound, [ReadWriteMany]"));
  }

  @Test
  void anOperatorThatIsMissingOrServesAnotherVersionIsSaid() throws Exception {
    settings.put("operator", "tf-operator");
    settings.put("apiVersion", "v1beta2");
    settings.put("worker", Map.of("replicas", 1, "dockerImage", "tf:1"));
    TrainingService kubeflow = new KubeflowServiceFactory().open(surroundings());
    try {
      List<Item> without = done(kubeflow.check(job("true"), 1));
      cluster.serve("kubeflow.org", "v1", "TFJob", "tfjobs");
      List<Item> with = done(kubeflow.check(job("true"), 1));

      assertThat(item(without, "kind of job"))
          .isEqualTo(
              Item.bad(
                  "kind of job",
                  "the cluster does not serve tfjobs.kubeflow.org",
                  "have its operator installed, with the definition of TFJob"));
      assertThat(item(with, "kind of job"))
          .isEqualTo(
              Item.doubtful(
                  "kind of job",
                  "The cluster serves tfjobs.kubeflow.org in v1, not in v1beta2 as apiVersion has"
                      + " it: v1 is used.",
                  "write apiVersion: v1"));
      assertThat(done(kubeflow.notices(job("true"))))
          .singleElement()
          .asString()
          .contains("in v1, not in v1beta2");
    } finally {
      done(kubeflow.close());
    }
  }

  @Test
  void podsThatAreToldToCallThemselvesAreNoticed() {
    assertThat(Callback.check("http://127.0.0.1:8080", "https://192.0.2.1:6443").verdict())
        .isEqualTo(Verdict.BAD);
    assertThat(Callback.url("http://127.0.0.1:8080", "2001:db8::7"))
        .isEqualTo("http://[2001:db8::7]:8080");
  }

  private List<Item> check() throws Exception {
    return done(service.check(job("true"), 1));
  }

  private static Item item(List<Item> items, String what) {
    return items.stream().filter(item -> item.what().equals(what)).findFirst().orElseThrow();
  }

  private void quota(String name, String resource, String hard, String used) {
    ObjectNode quota = Json.MAPPER.createObjectNode().put("apiVersion", "v1");
    quota.put("kind", "ResourceQuota").putObject("metadata").put("name", name);
    ObjectNode status = quota.putObject("status");
    status.putObject("hard").put(resource, hard);
    status.putObject("used").put(resource, used);
    cluster.create(NAMESPACE + "resourcequotas", quota);
  }
}
