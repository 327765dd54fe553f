package io.orrery.journeys.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Serves the example's network as an ONNX model, by ONNX Runtime. The jar is named by {@code
 * -Dorrery.onnxruntime=FILE}: it has 54 MB and is no dependency of the build.
 */
class OnnxServingIT extends ServiceJourney {
  private static final Path ONNX = EXAMPLES.resolveSibling("onnx");
  private static final String JAR = System.getProperty("orrery.onnxruntime", "");
  private static final int PIXELS = 64;

  private final Random random = new Random(1);

  @BeforeEach
  void needsTheJar() {
    assumeTrue(!JAR.isEmpty(), "needs -Dorrery.onnxruntime=FILE");
  }

  private ArrayNode rows(int count, int length) {
    ArrayNode rows = Json.MAPPER.createArrayNode();
    for (int i = 0; i < count; i++) {
      ArrayNode row = rows.addArray();
      for (int j = 0; j < length; j++) {
        row.add(random.nextGaussian() / 4);
      }
    }
    return rows;
  }

  /** What the network says, reckoned here. */
  private static List<Double> scores(JsonNode network, List<Integer> pixels) {
    List<Double> inputs = new ArrayList<>();
    pixels.forEach(pixel -> inputs.add(pixel / 16.0));
    List<Double> hidden = new ArrayList<>();
    network.get("first").forEach(row -> hidden.add(Math.max(0, unit(row, inputs))));
    List<Double> scores = new ArrayList<>();
    network.get("second").forEach(row -> scores.add(unit(row, hidden)));
    return scores;
  }

  private static double unit(JsonNode row, List<Double> inputs) {
    double sum = row.get(inputs.size()).doubleValue();
    for (int i = 0; i < inputs.size(); i++) {
      sum += row.get(i).doubleValue() * inputs.get(i);
    }
    return sum;
  }

  private Path exported(ObjectNode network) throws Exception {
    Path saved = Files.writeString(temp.resolve("network.json"), network.toString());
    Path model = Files.createDirectories(temp.resolve("model"));
    Process export =
        new ProcessBuilder(
                "python3",
                ONNX.resolve("export.py").toString(),
                saved.toString(),
                model.resolve("network.onnx").toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(export.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(export.waitFor(20, TimeUnit.SECONDS)).isTrue();
    assertThat(export.exitValue()).as(said).isZero();
    return model;
  }

  @Test
  void theExamplesNetworkIsServedByOnnxRuntime() throws Exception {
    ObjectNode network = Json.MAPPER.createObjectNode().put("activation", "relu");
    network.set("first", rows(16, PIXELS + 1));
    network.set("second", rows(10, 17));
    Path folder = Files.createDirectories(temp.resolve("onnx"));
    Path code = Files.createDirectories(folder.resolve("server/lib")).getParent();
    Files.copy(ONNX.resolve("service.yml"), folder.resolve("service.yml"));
    Files.copy(ONNX.resolve("server/OnnxServer.java"), code.resolve("OnnxServer.java"));
    Files.copy(Path.of(JAR), code.resolve("lib/onnxruntime.jar"));

    Ended registered =
        orrery(
            "model",
            "register",
            "digits-onnx",
            exported(network).toString(),
            "--framework",
            "onnx",
            "--alias",
            "production");
    assertThat(registered.code()).as(registered.err()).isZero();
    Ended applied = orrery("apply", "-f", folder.resolve("service.yml").toString());
    assertThat(applied.code()).as(applied.err()).isZero();
    String service = "serving-digits-onnx-production";
    ready(service);

    ArrayNode images = Json.MAPPER.createArrayNode();
    List<List<Integer>> all = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      List<Integer> pixels = random.ints(PIXELS, 0, 17).boxed().toList();
      all.add(pixels);
      ArrayNode row = images.addArray();
      pixels.forEach(pixel -> row.add(pixel));
    }
    Answer answer =
        post(service, "/v1/models/digits-onnx:predict", "{\"instances\": " + images + "}");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    JsonNode outputs = Json.parse(answer.body());
    for (int i = 0; i < all.size(); i++) {
      List<Double> expected = scores(network, all.get(i));
      int best = 0;
      for (int digit = 0; digit < expected.size(); digit++) {
        assertThat(outputs.get("scores").get(i).get(digit).doubleValue())
            .isEqualTo(expected.get(digit), offset(1e-4));
        best = expected.get(digit) > expected.get(best) ? digit : best;
      }
      assertThat(outputs.get("digits").get(i).intValue()).isEqualTo(best);
    }

    Answer wrong = post(service, "/v1/models/digits-onnx:predict", "{\"instances\": [[1, 2]]}");
    assertThat(wrong.statusCode()).isEqualTo(400);
    assertThat(wrong.body()).contains("64");
  }
}
