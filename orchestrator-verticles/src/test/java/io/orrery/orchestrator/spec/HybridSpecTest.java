package io.orrery.orchestrator.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.experiment.SharedStorageSpec.Nfs;
import io.orrery.core.problem.Finding;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class HybridSpecTest extends SpecFixture {
  private static final String REMOTE =
      "{platform: remote, weight: 3, capacity: 8, machineList: [{host: h, user: u, password: p}]}";

  @Override
  SpecReading read(String text) {
    return new SpecReader(
            List.of("hybrid", "local", "remote"), Map.of(), () -> SEED, secret -> "sealed")
        .read(text, directory.toString());
  }

  private static String several(String... services) {
    StringBuilder list = new StringBuilder();
    for (String service : services) {
      list.append("- ").append(service).append('\n');
    }
    return with("  platform: local\n", list.toString());
  }

  private static List<?> services(ExperimentSpec spec) {
    return (List<?>)
        Objects.requireNonNull(spec.job().trainingService().settings().values().get("services"));
  }

  @Test
  void aListIsSeveralPlatformsEachWithWhatItInherits() {
    ExperimentSpec spec = spec(several("{platform: local, trialCommand: other}", REMOTE));

    assertThat(spec.job().trainingService().platform()).isEqualTo("hybrid");
    assertThat(spec.job().command()).isEqualTo("python3 trial.py");
    Map<?, ?> local = (Map<?, ?>) services(spec).get(0);
    assertThat(local.get("platform")).isEqualTo("local");
    assertThat(local.get("name")).isEqualTo("local");
    assertThat(local.get("trialCommand")).isEqualTo("other");
    Map<?, ?> remote = (Map<?, ?>) services(spec).get(1);
    assertThat(((Number) remote.get("weight")).intValue()).isEqualTo(3);
    assertThat(((Number) remote.get("capacity")).intValue()).isEqualTo(8);
    assertThat(remote.get("trialCommand")).isEqualTo("python3 trial.py");
    assertThat(remote.get("machineList").toString()).contains("password=sealed");
  }

  /** As with NNI, whose users add the others later. */
  @Test
  void aListMayHaveOnePlatform() {
    ExperimentSpec spec = spec(several("{platform: local}"));

    assertThat(spec.job().trainingService().platform()).isEqualTo("hybrid");
    assertThat(services(spec)).hasSize(1);
  }

  @Test
  void theCanonicalFormReadsAsWhatItWasMadeOf() {
    ExperimentSpec spec = spec(several("{platform: local}", REMOTE));

    ExperimentSpec again = spec(spec.description().config());

    assertThat(again.job().trainingService()).hasToString(spec.job().trainingService().toString());
  }

  @Test
  void theOtherFormSaysTheSame() {
    ExperimentSpec list = spec(several("{platform: local}", REMOTE));

    ExperimentSpec named =
        spec(
            with(
                "  platform: local\n",
                "  platform: hybrid\n  services: [{platform: local}, " + REMOTE + "]\n"));

    assertThat(named.job().trainingService()).hasToString(list.job().trainingService().toString());
  }

  @Test
  void whatIsWrongIsSaidWhereItStands() {
    assertThat(read(several("{platform: local, gpuIndices: [-1]}", "{platform: remot}")).findings())
        .extracting(Finding::pointer)
        .contains("/trainingService/0/gpuIndices/0", "/trainingService/1/platform");
    assertThat(fault(several("{platform: local, weight: 0}", REMOTE)).pointer())
        .isEqualTo("/trainingService/0/weight");
    assertThat(fault(several("{platform: local}", "{platform: local}")).message())
        .contains("once more");
    assertThat(fault(with("  platform: local\n", "  []\n")).message())
        .contains("a list of platforms");
    assertThat(fault(several("{platform: local}", REMOTE.replace("}]", ", hots: x}]"))).pointer())
        .isEqualTo("/trainingService/1/machineList/0/hots");
  }

  @Test
  void storageIsSharedWithThoseThatAreElsewhere() {
    SpecReading reading =
        read(
            several("{platform: local, name: here}", REMOTE)
                + """
                sharedStorage:
                  storageType: NFS
                  localMountPoint: /mnt/here
                  remoteMountPoint: /mnt/there
                  localMounted: usermount
                """);

    assertThat(Objects.requireNonNull(reading.spec()).job().sharedStorage())
        .isEqualTo(new Nfs("/mnt/here", "/mnt/there", false, null, null));
    assertThat(reading.notices())
        .contains(
            "sharedStorage does nothing for trials of here: they are on this machine already.");
  }

  @Test
  void anOlderFileIsReadInItsOwnTerms() {
    ExperimentSpec spec =
        spec(
            """
            authorName: a
            experimentName: b
            trialConcurrency: 1
            trainingServicePlatform: hybrid
            searchSpacePath: space.json
            tuner: {builtinTunerName: Random}
            trial: {command: x, codeDir: code}
            hybridConfig: {trainingServicePlatforms: [local, remote]}
            machineList: [{ip: h, username: u, passwd: p}]
            """);

    assertThat(spec.job().trainingService().platform()).isEqualTo("hybrid");
    assertThat(services(spec)).hasSize(2);
    assertThat(services(spec).get(1).toString()).contains("host=h");
  }
}
