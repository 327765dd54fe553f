package io.orrery.studio.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.service.ServiceName;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the commands of model servers with programs in their place that write their arguments. */
class ModelServerTest {
  @TempDir Path temp;
  private Path models;
  private Path config;

  @BeforeEach
  void directories() throws Exception {
    models = temp.resolve("models");
    config = Files.createDirectories(temp.resolve("config"));
    Path programs = Files.createDirectories(temp.resolve("bin"));
    for (Path program :
        List.of(
            programs.resolve("tensorflow_model_server"),
            programs.resolve("torchserve"),
            programs.resolve("tritonserver"),
            temp.resolve("onnxruntime_server"))) {
      Files.writeString(program, "#!/bin/sh\necho \"${0##*/} $*\"\n");
      Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    }
  }

  private static ServiceDocument document(String type, String path) {
    return ServiceDocumentReader.read(
            new ServiceName(type + "-m-1"),
            """
            {"type": "%s", "image": "example.com/server:1",
             "model": {"name": "m", "version": "v1", "path": "%s"}}
            """
                .formatted(type, path))
        .document();
  }

  /** What a command writes, with the directories of this test in place of its own. */
  private String run(ServiceDocument document, int code) throws Exception {
    List<String> line = new ArrayList<>(document.command());
    assertThat(line.subList(line.size() - 2, line.size())).containsExactly("/models", "/config");
    line.set(line.size() - 2, models.toString());
    line.set(line.size() - 1, config.toString());
    for (Map.Entry<String, String> file : document.files().entrySet()) {
      Files.writeString(config.resolve(file.getKey()), file.getValue());
    }
    ProcessBuilder builder = new ProcessBuilder(line).directory(temp.toFile());
    builder.environment().put("PATH", temp.resolve("bin") + ":" + System.getenv("PATH"));
    Process process = builder.redirectErrorStream(true).start();
    String written = new String(process.getInputStream().readAllBytes());
    assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(written).isEqualTo(code);
    return written.strip();
  }

  private Path model(String... files) throws Exception {
    Path model = Files.createDirectories(temp.resolve("a model"));
    for (String file : files) {
      Files.writeString(model.resolve(file), file);
    }
    return model;
  }

  @Test
  void tensorFlowServingGetsTheModelAndItsThreeFiles() throws Exception {
    String written = run(document("tfserving", model("saved_model.pb").toString()), 0);

    assertThat(written).startsWith("tensorflow_model_server").contains("--rest_api_port=8501");
    assertThat(models.resolve("m/1/saved_model.pb")).exists();
    assertThat(config.resolve("models.config"))
        .content()
        .contains("base_path: \"/models/m/\"", "versions: 1 ");
    assertThat(config.resolve("monitoring.config")).content().contains("/metrics");
    assertThat(config.resolve("platform.config")).exists();
  }

  @Test
  void torchServeGetsAnArchiveAndNothingElse() throws Exception {
    Path model = model("net.mar");

    assertThat(run(document("torch-server", model.toString()), 0))
        .startsWith("torchserve --start --foreground")
        .contains("--models m=m.mar");
    assertThat(models.resolve("m.mar")).hasContent("net.mar");
    assertThat(config.resolve("config.properties"))
        .content()
        .contains("metrics_address=http://0.0.0.0:8082", "max_request_size=6553500");
    Files.delete(model.resolve("net.mar"));
    assertThat(run(document("torch-server", model.toString()), 1)).contains("is no .mar archive");
  }

  @Test
  void tritonGetsAPlatformByTheSuffix() throws Exception {
    Path model = model("net.onnx", "notes.txt");

    assertThat(run(document("triton-server", model.toString()), 0))
        .isEqualTo("tritonserver --model-repository=" + models);
    assertThat(models.resolve("m/1/model.onnx")).hasContent("net.onnx");
    assertThat(models.resolve("m/config.pbtxt"))
        .hasContent("name: \"m\"\nplatform: \"onnxruntime_onnx\"\n");

    Files.writeString(config.resolve("config.pbtxt"), "own");
    run(document("triton-server", model("saved_model.pb").toString()), 0);
    assertThat(models.resolve("m/1/model.savedmodel/saved_model.pb")).exists();
    assertThat(models.resolve("m/config.pbtxt")).hasContent("own");
  }

  @Test
  void onnxRuntimeGetsTheFile() throws Exception {
    Path model = model("net.onnx");

    assertThat(run(document("onnxruntime", model.toString()), 0))
        .isEqualTo("onnxruntime_server --http_port 8001 --model_path " + model + "/net.onnx");
  }

  /** What stands in a document is no part of a line for the shell. */
  @Test
  void thePathIsAnArgument() throws Exception {
    String path = temp.resolve("x'; touch hacked; echo '$(touch hacked).onnx").toString();
    Files.writeString(Path.of(path), "");

    run(document("onnxruntime", path), 0);

    assertThat(temp.resolve("hacked")).doesNotExist();
  }

  @Test
  void aCommandOfTheDocumentIsTaken() {
    ServiceDocument document =
        ServiceDocumentReader.read(
                new ServiceName("tfserving-m-1"),
                """
                {"type": "tfserving", "image": "i", "command": ["serve"],
                 "model": {"name": "m", "version": "v1", "path": "/m"},
                 "config": {"own.conf": "$model_name of $model_path"}}
                """)
            .document();

    assertThat(document.command()).containsExactly("serve");
    assertThat(document.files()).isEqualTo(Map.of("own.conf", "m of /m"));
  }
}
