package io.orrery.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.access.Caller;
import io.orrery.core.access.ProjectName;
import io.orrery.core.access.ProjectRole;
import io.orrery.core.access.ResourceOwner;
import io.orrery.core.access.UserRole;
import io.orrery.core.artifact.ArtifactFile;
import io.orrery.core.bus.contract.Artifacts;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.bus.contract.Models;
import io.orrery.core.bus.contract.PipelineRuns;
import io.orrery.core.bus.contract.PipelineRuns.Step;
import io.orrery.core.bus.contract.TrialKeepers;
import io.orrery.core.code.CodeArchive;
import io.orrery.core.code.CodeTree;
import io.orrery.core.digest.Sha256;
import io.orrery.core.model.ModelAlias;
import io.orrery.core.model.ModelName;
import io.orrery.core.model.ModelStage;
import io.orrery.core.model.VersionName;
import io.orrery.core.problem.Problem;
import io.orrery.core.run.RunId;
import io.orrery.core.run.RunStatus;
import io.orrery.core.run.StepOutput;
import io.orrery.core.run.StepOutput.Kind;
import io.orrery.core.run.StepStatus;
import io.orrery.core.trial.Parameters;
import io.vertx.core.Future;
import java.io.ByteArrayOutputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Copies of the files of steps, trials and versions of models in the directory of a person. */
@Timeout(60)
class WorkspaceCopyIT {
  private static final ProjectName VISION = new ProjectName("vision");
  private static final String STEP = "{\"from\":{\"run\":\"r1\",\"step\":\"train\"}}";
  private static final String TRIAL =
      "{\"from\":{\"experiment\":\"digits01\",\"trial\":\"abcde\"}}";
  private static final String VERSION = "{\"from\":{\"model\":\"digits\",\"version\":\"1\"}}";
  private static final byte[] WEIGHTS = "weights ".repeat(100_000).getBytes(UTF_8);

  private static final byte[] X = {'x'};

  @TempDir Path temp;
  private EdgeServer edge;
  private Path ann;

  @BeforeEach
  void start() throws Exception {
    edge =
        EdgeServer.withUsers(
            Map.of("ann", person("ann", VISION), "bob", person("bob", ProjectName.PUBLIC)));
    ann = edge.workspaces.made("ann");
    edge.answer(Experiments.OWNERSHIP, new ResourceOwner(VISION, "ann"));
  }

  @AfterEach
  void stop() throws Exception {
    edge.close();
  }

  private static Caller person(String name, ProjectName project) {
    return new Caller(
        name, UserRole.USER, Caller.Kind.PERSON, Map.of(project, ProjectRole.MEMBER), false);
  }

  // ---- tests ---------------------------------------------------------------------------------

  @Test
  void theOutputsOfAStepAreCopiedWithoutTheirLinks() throws Exception {
    byte[] tar = tar();
    outputs(
        Map.of("model", WEIGHTS, "report", tar),
        StepOutput.of("accuracy", "0.9"),
        new StepOutput("model", Kind.FILE, null, Sha256.hex(WEIGHTS), WEIGHTS.length),
        new StepOutput("report", Kind.DIRECTORY, null, Sha256.hex(tar), tar.length));

    JsonNode dry = json(ask("ann", STEP, "?dryRun=true"), 200);
    assertThat(dry.path("copied").asBoolean()).isFalse();
    assertThat(ann).isEmptyDirectory();
    JsonNode copy = json(ask("ann", STEP, ""), 201);

    assertThat(copy.path("path").asText()).isEqualTo("/mnt/ann/opened/run-r1-train");
    assertThat(copy.path("leftOut").asInt()).isEqualTo(1);
    assertThat(copy.path("files").asInt()).isEqualTo(4);
    Path opened = ann.resolve("opened/run-r1-train");
    assertThat(files(opened))
        .containsExactly("accuracy", "model", "report/plots/a.txt", "report/run.sh");
    assertThat(opened.resolve("accuracy")).hasContent("0.9");
    assertThat(Files.readAllBytes(opened.resolve("model"))).isEqualTo(WEIGHTS);
    assertThat(opened.resolve("report/empty")).isDirectory();
    assertThat(Files.getPosixFilePermissions(opened.resolve("report/run.sh")))
        .contains(PosixFilePermission.OWNER_EXECUTE);
    assertThat(Files.getPosixFilePermissions(opened.resolve("model")))
        .doesNotContain(PosixFilePermission.OWNER_EXECUTE);
    assertThat(copy.path("bytes").asLong())
        .isEqualTo(WEIGHTS.length + "0.9".length() + "plot".length() + "true".length());
  }

  @Test
  void whatIsThereAlreadyStaysAsThePersonLeftIt() throws Exception {
    outputs(Map.of(), StepOutput.of("accuracy", "0.9"));
    json(ask("ann", STEP, ""), 201);
    Path file = Files.writeString(ann.resolve("opened/run-r1-train/accuracy"), "mine");

    assertThat(json(ask("ann", STEP, ""), 200).path("copied").asBoolean()).isFalse();
    assertThat(file).hasContent("mine");

    String elsewhere = STEP.replace("}}", "},\"to\":\"/mnt/ann/a/b\"}");
    assertThat(json(ask("ann", elsewhere, ""), 201).path("path").asText())
        .isEqualTo("/mnt/ann/a/b");
    assertThat(ann.resolve("a/b/accuracy")).hasContent("0.9");
    Files.writeString(ann.resolve("file"), "");
    assertThat(ask("ann", elsewhere.replace("a/b", "file"), "").statusCode()).isEqualTo(409);
    assertThat(ask("ann", elsewhere.replace("a/b", "../bob/x"), "").statusCode()).isEqualTo(400);
    Files.createSymbolicLink(ann.resolve("link"), edge.workspaces.made("bob"));
    assertThat(ask("ann", elsewhere.replace("a/b", "link/x"), "").statusCode()).isEqualTo(409);
    assertThat(edge.workspaces.made("bob")).isEmptyDirectory();
  }

  @Test
  void theFilesOfTrialsAndVersionsAreCopied() throws Exception {
    trialFile("output/model.bin", WEIGHTS);
    version();
    assertThat(json(ask("ann", TRIAL, ""), 201).path("path").asText())
        .isEqualTo("/mnt/ann/opened/trial-digits01-abcde");
    assertThat(ann.resolve("opened/trial-digits01-abcde/output/model.bin"))
        .hasBinaryContent(WEIGHTS);
    json(ask("ann", VERSION, ""), 201);
    assertThat(ann.resolve("opened/model-digits-1/in/model.onnx")).hasContent("x");
    json(ask("ann", VERSION.replace("\"1\"", "\"production\""), ""), 200);
  }

  @Test
  void whatACallerMayNotReadDoesNotExist() throws Exception {
    outputs(Map.of(), StepOutput.of("accuracy", "0.9"));
    trialFile("x", WEIGHTS);
    version();

    for (String body : List.of(STEP, TRIAL, VERSION)) {
      HttpResponse<String> own = send("bob", "/api/v1/files/bob", body);
      assertThat(own.statusCode()).as(own.body()).isEqualTo(404);
      assertThat(send("bob", "/api/v1/files/ann", body).statusCode()).isEqualTo(404);
    }
    assertThat(ask("ann", STEP.replace("train", "none"), "").statusCode()).isEqualTo(404);
    assertThat(ask("ann", VERSION.replace("1", "no such"), "").statusCode()).isEqualTo(404);
    for (String wrong : List.of("{}", "{\"from\":{\"run\":\"r1\"}}", "[]", "{\"from\":7}")) {
      assertThat(ask("ann", wrong, "").statusCode()).as(wrong).isEqualTo(400);
    }
    assertThat(edge.workspaces.made("bob")).isEmptyDirectory();
    assertThat(ann).isEmptyDirectory();
  }

  @Test
  void whatDoesNotFitIsRefusedWithTheAmountAndLeavesNothing() throws Exception {
    Files.write(ann.resolve("there"), new byte[(int) EdgeServer.WORKSPACE_BYTES - 500_000]);
    trialFile("x", WEIGHTS);

    for (String query : List.of("?dryRun=true", "")) {
      HttpResponse<String> refused = ask("ann", TRIAL, query);
      assertThat(refused.statusCode()).isEqualTo(413);
      assertThat(refused.body()).contains("has 800,000 bytes", "8,388,608", "does not fit");
    }
    assertThat(files(ann)).containsExactly("there");
    assertThat(ann.resolve("opened")).doesNotExist();
  }

  @Test
  void aDamagedOrHostileOutputLeavesNothing() throws Exception {
    outputs(
        Map.of("model", WEIGHTS),
        new StepOutput("model", Kind.FILE, null, Sha256.hex(new byte[1]), WEIGHTS.length));
    assertThat(ask("ann", STEP, "").statusCode()).isEqualTo(500);
    assertThat(files(ann)).isEmpty();
    edge.close();
    start();
    byte[] hostile = tarWith("../../../out");
    outputs(
        Map.of("report", hostile),
        new StepOutput("report", Kind.DIRECTORY, null, Sha256.hex(hostile), hostile.length));

    assertThat(ask("ann", STEP, "").statusCode()).isEqualTo(400);
    try (Stream<Path> all = Files.walk(ann)) {
      assertThat(all.filter(Files::isRegularFile)).isEmpty();
    }
    assertThat(files(ann.getParent())).isEmpty();
  }

  // ---- helpers -------------------------------------------------------------------------------

  private byte[] tar() throws Exception {
    Path tree = Files.createDirectories(temp.resolve("tree"));
    Files.createDirectories(tree.resolve("plots"));
    Files.createDirectories(tree.resolve("empty"));
    Files.writeString(tree.resolve("plots/a.txt"), "plot");
    assertThat(Files.writeString(tree.resolve("run.sh"), "true").toFile().setExecutable(true))
        .isTrue();
    if (!Files.isSymbolicLink(tree.resolve("link"))) {
      Files.createSymbolicLink(tree.resolve("link"), Path.of("plots/a.txt"));
    }
    ByteArrayOutputStream tar = new ByteArrayOutputStream();
    CodeArchive.write(CodeTree.of(tree), tar);
    return tar.toByteArray();
  }

  private static byte[] tarWith(String name) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (TarArchiveOutputStream tar = new TarArchiveOutputStream(bytes)) {
      tar.putArchiveEntry(new TarArchiveEntry(name));
      tar.closeArchiveEntry();
    }
    return bytes.toByteArray();
  }

  /** The run r1, whose step has these outputs. */
  private void outputs(Map<String, byte[]> stored, StepOutput... outputs) throws Exception {
    PipelineRuns.Step step =
        new Step(
            "train",
            "train",
            Map.of(),
            "local",
            StepStatus.SUCCEEDED,
            null,
            1,
            Samples.THEN,
            Samples.THEN,
            0,
            List.of(outputs),
            null,
            null);
    PipelineRuns.Run run =
        new PipelineRuns.Run(
            new RunId("r1"),
            "digits",
            1,
            VISION,
            "ann",
            "ann",
            "manual",
            null,
            Parameters.EMPTY,
            RunStatus.SUCCEEDED,
            Samples.THEN,
            Samples.THEN,
            Samples.THEN,
            null);
    edge.answer(PipelineRuns.GET, new PipelineRuns.RunView(run, List.of(step), List.of()));
    edge.on(
        PipelineRuns.READ_OUTPUT,
        asked ->
            Future.succeededFuture(
                new PipelineRuns.OutputPiece(
                    outputs[0], piece(stored.get(asked.name()), asked.offset(), asked.limit()))));
  }

  /** A trial that left one file. */
  private void trialFile(String path, byte[] content) throws Exception {
    edge.answer(
        TrialKeepers.FILES,
        new TrialKeepers.FileList(
            List.of(new TrialKeepers.StoredFile(path, content.length)), false));
    edge.on(
        TrialKeepers.FILE,
        asked -> {
          byte[] piece = piece(content, asked.offset(), asked.limit());
          return Future.succeededFuture(
              new TrialKeepers.Piece(piece, asked.offset() + piece.length, content.length));
        });
  }

  /** Version 1 of the model digits, with one file. */
  private void version() throws Exception {
    ModelName digits = new ModelName("digits");
    VersionName one = new VersionName("1");
    ModelAlias production = new ModelAlias("production");
    edge.answer(
        Models.GET,
        new Models.Model(
            digits,
            VISION,
            "ann",
            "",
            Map.of(),
            Map.of(production, one),
            one,
            Samples.THEN,
            Samples.THEN,
            1));
    edge.on(
        Models.VERSION,
        asked ->
            asked.version().equals(one)
                ? Future.succeededFuture(
                    new Models.Version(
                        digits,
                        one,
                        1,
                        VISION,
                        "ann",
                        "ab",
                        new Models.Content(null, Sha256.hex(X), 1, 1),
                        new Models.About(ModelStage.NONE, "", "", "{}", "{}", Map.of()),
                        List.of(production),
                        Samples.THEN,
                        Samples.THEN,
                        1))
                : Future.failedFuture(new Problem.NotFound("None.").toException()));
    edge.answer(
        Artifacts.LIST,
        new Artifacts.Files(List.of(new ArtifactFile("in/model.onnx", Sha256.hex(X), 1))));
    edge.on(
        Artifacts.READ,
        asked -> Future.succeededFuture(new TrialKeepers.Piece(piece(X, asked.offset(), 1), 1, 1)));
  }

  private static byte[] piece(byte[] content, long offset, int limit) {
    int from = (int) Math.min(offset, content.length);
    return Arrays.copyOfRange(content, from, Math.min(content.length, from + limit));
  }

  private static List<String> files(Path directory) throws Exception {
    try (Stream<Path> all = Files.walk(directory)) {
      return all.filter(Files::isRegularFile)
          .map(file -> directory.relativize(file).toString())
          .sorted()
          .toList();
    }
  }

  private static JsonNode json(HttpResponse<String> answer, int status) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    return EdgeServer.json(answer);
  }

  private HttpResponse<String> ask(String who, String body, String query) throws Exception {
    return send(who, "/api/v1/files/" + who + query, body);
  }

  private HttpResponse<String> send(String who, String path, String body) throws Exception {
    return edge.client()
        .send(
            edge.request(path)
                .header("Authorization", "Bearer " + who)
                .POST(BodyPublishers.ofString(body))
                .build(),
            BodyHandlers.ofString());
  }
}
