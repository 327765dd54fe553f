package io.orrery.orchestrator.spec;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.json.Document;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.workload.Workspaces;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads sections of jobs that belong to no experiment beside the same sections of experiments. */
class JobReaderTest extends SpecFixture {
  private static final List<String> PLATFORMS =
      List.of("hybrid", "kubernetes", "local", "openpai", "remote", "simulated");
  private static final UnaryOperator<String> SEAL = secret -> "sealed:" + secret.length();

  private static final String REMOTE =
      "platform: remote, machineList: [{host: h, user: u, password: geheim}]";
  private static final String KUBERNETES =
      "platform: kubernetes, namespace: team, dockerImage: img, memorySize: 2gb";

  private JobReader.Reading read(String section, @Nullable Predicate<Path> shown) {
    return new JobReader(PLATFORMS, Map.of(), Workspaces.in(directory))
        .read(
            (ObjectNode) Document.read(section).root(),
            directory,
            1,
            new JobReader.Author("ann", shown, SEAL));
  }

  private SpecReading around(String section, @Nullable Predicate<Path> shown) {
    ObjectNode whole = Json.MAPPER.createObjectNode();
    whole.put("trialConcurrency", 1).put("trialCommand", "true").put("trialGpuNumber", 1);
    whole.putObject("searchSpace").putObject("x").put("_type", "choice").putArray("_value").add(1);
    whole.putObject("tuner").put("name", "Random");
    whole.set("trainingService", Document.read(section).root());
    Predicate<Path> all = shown == null ? null : path -> path.equals(directory) || shown.test(path);
    return new SpecReader(PLATFORMS, Map.of(), () -> 1, SEAL, Workspaces.in(directory))
        .read(Json.write(whole), null, "ann", all, directory);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{platform: local, maxTrialNumberPerGpu: 2}",
        "{" + REMOTE + "}",
        "{" + KUBERNETES + ", reuseMode: true, storage: {storageType: nfs, server: s, path: /p}}",
        "{platform: simulated, objective: '0', duration: 3s}",
        "{platform: hybrid, services: [{platform: local}, {" + REMOTE + ", weight: 2}]}",
        "{platform: hybrid, services: [{platform: local}, {" + KUBERNETES + "}]}"
      })
  void aSectionMakesTheJobThatItMakesInAnExperiment(String section) {
    SpecReading around = around(section, null);
    assertThat(around.findings()).isEmpty();
    ExperimentSpec spec = Objects.requireNonNull(around.spec());
    JobReader.Reading reading = read(section, null);

    assertThat(reading.findings()).isEmpty();
    assertThat(reading.job()).isEqualTo(spec.job());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{platform: lokal}",
        "{platform: local, maxTrialNumberPerGpus: 2, useActiveGpu: 3}",
        "{platform: remote}",
        "{" + KUBERNETES + ", podTemplate: /no/file, cpuNumber: many}",
        "{platform: simulated, duration: 3s}",
        "{platform: hybrid, services: [{platform: local}, {platform: local, name: local}]}",
        "{platform: hybrid, services: [{platform: local, trialCodeDirectory: /mnt/ann/code},"
            + " {"
            + REMOTE
            + ", trialCodeDirectory: /mnt/ann/code}]}"
      })
  void whatIsWrongInASectionOfAnExperimentIsWrongHere(String section) {
    List<Finding> findings = around(section, null).findings();
    JobReader.Reading reading = read(section, null);

    assertThat(findings).isNotEmpty();
    assertThat(reading.job()).isNull();
    assertThat(reading.findings()).isEqualTo(findings);
  }

  @Test
  void whoMayNotNameEachFileIsToldSoAsInAnExperiment() {
    Predicate<Path> none = path -> false;
    String section = "{" + KUBERNETES + ", podTemplate: /etc/hostname}";
    JobReader.Reading reading = read(section, none);

    assertThat(reading.job()).isNull();
    assertThat(reading.findings()).isEqualTo(around(section, none).findings()).isNotEmpty();
  }

  @Test
  void aPasswordIsSealed() {
    JobReader.Reading reading = read("{" + REMOTE + "}", null);

    assertThat(String.valueOf(reading.job())).contains("sealed:6").doesNotContain("geheim");
  }
}
