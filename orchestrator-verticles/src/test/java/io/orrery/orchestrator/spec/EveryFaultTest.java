package io.orrery.orchestrator.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.problem.Finding;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Breaks files in many places: each fault is named, and nothing that is right is. */
class EveryFaultTest extends SpecFixture {
  private static final String V3 =
      """
      experimentName: twin
      trialCommand: python3 trial.py {{params.lr}} {{params.opt.rate}}
      trialCodeDirectory: code
      trialConcurrency: 2
      maxTrialNumber: 10
      maxExperimentDuration: 1h
      maxTrialDuration: 10m
      debug: false
      logLevel: info
      seed: 4
      priority: 50
      weight: 1
      quota: 2
      parametersAsArguments: true
      retry:
        attempts: 2
        backoff: 10s
        on: [failed, lost]
      searchSpace:
        lr: {_type: uniform, _value: [0, 1]}
        units: {_type: randint, _value: [1, 9]}
        noise: {_type: qnormal, _value: [0, 1, 0.5]}
        act: {_type: choice, _value: [relu, tanh]}
        opt:
          _type: choice
          _value:
            - {_name: sgd, rate: {_type: loguniform, _value: [0.1, 1]}}
            - {_name: adam, rate: {_type: uniform, _value: [0, 2]}}
      tuner:
        name: TPE
        classArgs: {optimize_mode: minimize}
      trainingService:
        platform: local
        useActiveGpu: false
        gpuIndices: [0, 1]
        maxTrialNumberPerGpu: 1
      sharedStorage:
        storageType: NFS
        localMounted: nomount
      """;

  private static final List<Break> V3_BREAKS =
      List.of(
          new Break("experimentName: twin", "experimentName: 3", "/experimentName"),
          new Break("{{params.lr}}", "{{params.lrr}}", "/trialCommand"),
          new Break("trialCommand: python3 trial.py", "#", "/trialCommand"),
          new Break("Directory: code", "Directory: nowhere", "/trialCodeDirectory"),
          new Break("Concurrency: 2", "Concurrency: 0", "/trialConcurrency"),
          new Break("trialConcurrency: 2\n", "", "/trialConcurrency"),
          new Break("maxTrialNumber: 10", "maxTrialNumber: many", "/maxTrialNumber"),
          new Break("Duration: 1h", "Duration: -1", "/maxExperimentDuration"),
          new Break("Duration: 10m", "Duration: soon", "/maxTrialDuration"),
          new Break("debug: false", "debug: perhaps", "/debug"),
          new Break("logLevel: info", "logLevel: inof", "/logLevel"),
          new Break("seed: 4", "seed: 1.5", "/seed"),
          new Break("seed: 4", "sead: 4", "/sead"),
          new Break("priority: 50", "priority: 101", "/priority"),
          new Break("weight: 1", "weight: 0", "/weight"),
          new Break("quota: 2", "quota: 0", "/quota"),
          new Break("Arguments: true", "Arguments: perhaps", "/parametersAsArguments"),
          new Break("attempts: 2", "attempts: 0", "/retry/attempts"),
          new Break("backoff: 10s", "backoff: soon", "/retry/backoff"),
          new Break("[failed, lost]", "[faild, losst]", "/retry/on/0", "/retry/on/1"),
          new Break(
              "lr: {_type: uniform, _value: [0, 1]",
              "lr: {_type: uniform, _value: [a, b]",
              "/searchSpace/lr/_value/0",
              "/searchSpace/lr/_value/1"),
          new Break(
              "lr: {_type: uniform, _value: [0, 1]",
              "lr: {_type: uniform, _value: [1, 0]",
              "/searchSpace/lr/_value"),
          new Break("_type: randint", "_type: randit", "/searchSpace/units/_type"),
          new Break(
              "[0, 1, 0.5]",
              "[x, 0, -1]",
              "/searchSpace/noise/_value/0",
              "/searchSpace/noise/_value/1",
              "/searchSpace/noise/_value/2"),
          new Break("[relu, tanh]", "[]", "/searchSpace/act/_value"),
          new Break("[0.1, 1]", "[0, 1]", "/searchSpace/opt/_value/0/rate/_value/0"),
          new Break("[0, 2]", "[0, z]", "/searchSpace/opt/_value/1/rate/_value/1"),
          new Break("name: TPE", "name: 3", "/tuner/name"),
          new Break("name: TPE", "nome: TPE", "/tuner/nome"),
          new Break("mode: minimize", "mode: up", "/tuner/classArgs/optimize_mode"),
          new Break("platform: local", "platform: lcal", "/trainingService/platform"),
          new Break("ActiveGpu: false", "ActiveGpu: 3", "/trainingService/useActiveGpu"),
          new Break(
              "[0, 1]\n  max",
              "[x, -1]\n  max",
              "/trainingService/gpuIndices/0",
              "/trainingService/gpuIndices/1"),
          new Break("PerGpu: 1", "PerGpu: 0", "/trainingService/maxTrialNumberPerGpu"),
          new Break("Type: NFS", "Type: NFX", "/sharedStorage/storageType"),
          new Break("Mounted: nomount", "Mounted: mo", "/sharedStorage/localMounted"));

  private static final String V1 =
      """
      authorName: x
      experimentName: twin
      trialConcurrency: 1
      maxExecDuration: 1h
      maxTrialNum: 10
      trainingServicePlatform: local
      searchSpacePath: space.json
      tuner:
        builtinTunerName: TPE
        classArgs: {optimize_mode: maximize}
      trial:
        command: ls {{params.lr}}
        codeDir: code
      localConfig:
        useActiveGpu: true
      """;

  private static final List<Break> V1_BREAKS =
      List.of(
          new Break("experimentName: twin", "experimentName: 3", "/experimentName"),
          new Break("Concurrency: 1", "Concurrency: 0", "/trialConcurrency"),
          new Break("Duration: 1h", "Duration: soon", "/maxExecDuration"),
          new Break("TrialNum: 10", "TrialNum: many", "/maxTrialNum"),
          new Break("Platform: local", "Platform: locl", "/trainingServicePlatform"),
          new Break("Path: space.json", "Path: space.jsn", "/searchSpacePath"),
          new Break("TunerName: TPE", "TunerName: 3", "/tuner/builtinTunerName"),
          new Break("mode: maximize", "mode: up", "/tuner/classArgs/optimize_mode"),
          new Break("  command: ls {{params.lr}}\n", "", "/trial/command"),
          new Break("codeDir: code", "codeDir: nowhere", "/trial/codeDir"),
          new Break("ActiveGpu: true", "ActiveGpu: 3", "/localConfig/useActiveGpu"));

  /** A part of a file to make wrong, and the places where that is to be found. */
  private record Break(String part, String instead, List<String> pointers) {
    Break(String part, String instead, String... pointers) {
      this(part, instead, List.of(pointers));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void eachOfManyFaultsOfAV3FileIsNamed(long seed) {
    everyFaultIsNamed(V3, V3_BREAKS, seed);
  }

  @ParameterizedTest
  @ValueSource(longs = {4, 5})
  void eachOfManyFaultsOfAV1FileIsNamed(long seed) {
    everyFaultIsNamed(V1, V1_BREAKS, seed);
  }

  private void everyFaultIsNamed(String good, List<Break> breaks, long seed) {
    RandomGenerator random = new Random(seed);
    assertThat(read(good).findings()).isEmpty();
    for (int i = 0; i < 200; i++) {
      List<Break> order = new ArrayList<>(breaks);
      Collections.shuffle(order, new Random(random.nextLong()));
      int most = 1 + random.nextInt(breaks.size());
      String text = good;
      List<String> expected = new ArrayList<>();
      for (Break fault : order.subList(0, most)) {
        // Of two ways to break the same thing the first one leaves nothing for the other.
        if (text.contains(fault.part()) && !expected.containsAll(fault.pointers())) {
          text = text.replace(fault.part(), fault.instead());
          expected.addAll(fault.pointers());
        }
      }

      assertThat(read(text).findings())
          .as(text)
          .extracting(Finding::pointer)
          .containsExactlyInAnyOrderElementsOf(expected);
    }
  }
}
