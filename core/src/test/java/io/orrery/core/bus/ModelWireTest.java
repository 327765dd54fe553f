package io.orrery.core.bus;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.access.ProjectName;
import io.orrery.core.artifact.ArtifactFile;
import io.orrery.core.bus.contract.Artifacts;
import io.orrery.core.bus.contract.Models;
import io.orrery.core.bus.contract.People.Actor;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.model.ModelAlias;
import io.orrery.core.model.ModelName;
import io.orrery.core.model.ModelStage;
import io.orrery.core.model.VersionName;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Carries the records of models and artifacts as another process would get them. */
class ModelWireTest {
  private static final Instant THEN = Instant.parse("2026-01-31T12:00:00.123Z");
  private static final ProjectName VISION = new ProjectName("vision");
  private static final Actor BY = new Actor("ann", "10.0.0.7");
  private static final ModelName DIGITS = new ModelName("My digits");
  private static final VersionName ONE = new VersionName("1");
  private static final ModelAlias PRODUCTION = new ModelAlias("production");
  private static final String DIGEST = "ab".repeat(32);
  private static final ArtifactFile FILE = new ArtifactFile("model/weights", DIGEST, 7);
  private static final Models.Content CONTENT = new Models.Content(null, DIGEST, 1, 7);
  private static final Models.About ABOUT =
      new Models.About(
          ModelStage.STAGING, "text", "onnx", "{\"acc\":1}", "{}", Map.of("team", "vision"));
  private static final Models.Model MODEL =
      new Models.Model(
          DIGITS, VISION, "ann", "text", Map.of(), Map.of(PRODUCTION, ONE), ONE, THEN, THEN, 2);
  private static final Models.Version VERSION =
      new Models.Version(
          DIGITS, ONE, 1, VISION, "ann", "cd", CONTENT, ABOUT, List.of(PRODUCTION), THEN, THEN, 1);

  private static final List<Record> ALL =
      List.of(
          MODEL,
          VERSION,
          CONTENT,
          ABOUT,
          new Models.ListModels(List.of(VISION), "ann", null, "a", 10),
          new Models.ModelPage(List.of(MODEL), null),
          new Models.GetModel(DIGITS),
          new Models.PutModel(BY, DIGITS, VISION, "text", Map.of("a", "b"), true, 3L, false),
          new Models.Rename(BY, DIGITS, new ModelName("letters")),
          new Models.OfModel(BY, DIGITS),
          new Models.ListVersions(DIGITS, null, null, 10),
          new Models.VersionPage(List.of(VERSION), "x"),
          new Models.GetVersion(DIGITS, ONE),
          new Models.RegisterVersion(
              BY,
              DIGITS,
              VISION,
              true,
              null,
              null,
              List.of(FILE),
              new Models.FromTrial(new ExperimentId("abcd"), new TrialId("xyz"), ""),
              new Models.FromRun("ab", "model"),
              ABOUT,
              List.of(PRODUCTION),
              true),
          new Models.FromTrial(new ExperimentId("abcd"), null, "model"),
          new Models.FromRun("ab", ""),
          new Models.ChangeVersion(BY, DIGITS, ONE, ABOUT, null, false),
          new Models.OfVersion(BY, DIGITS, ONE),
          new Models.SetAlias(BY, DIGITS, PRODUCTION, ONE),
          new Models.DropAlias(BY, DIGITS, PRODUCTION),
          new Models.Resolve(DIGITS, null, PRODUCTION),
          new Models.Resolved(DIGITS, ONE, VISION, "ann", "cd", CONTENT),
          new Artifacts.Find(DIGEST),
          new Artifacts.Stored(DIGEST, 7),
          new Artifacts.Commit("ab", 7, DIGEST),
          new Artifacts.Read(DIGEST, 0, 10),
          new Artifacts.ListFiles("model/cd", ""),
          new Artifacts.Files(List.of(FILE)),
          new Artifacts.PutFile("run/ab", FILE),
          new Artifacts.DropFiles("run/ab", "model"));

  @Test
  void everyRecordComesOutAsItWentIn() {
    assertThat(ALL)
        .allSatisfy(record -> assertThat(WireCodecTest.throughTheWire(record)).isEqualTo(record));
  }

  @Test
  void bytesComeOutAsTheyWentIn() {
    var part = new Artifacts.AddPart("ab", 5, new byte[] {1, 2, 3});

    assertThat(WireCodecTest.throughTheWire(part)).usingRecursiveComparison().isEqualTo(part);
  }

  @Test
  void everyRecordOfTheContractsIsTried() {
    Set<Class<?>> tried =
        Stream.concat(ALL.stream().map(Object::getClass), Stream.of(Artifacts.AddPart.class))
            .collect(Collectors.toUnmodifiableSet());

    assertThat(
            Stream.of(Models.class, Artifacts.class)
                .flatMap(contract -> Stream.of(contract.getDeclaredClasses()))
                .filter(Class::isRecord))
        .hasSizeGreaterThan(25)
        .allMatch(tried::contains);
  }
}
