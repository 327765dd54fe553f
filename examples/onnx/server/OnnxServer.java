import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A server of an ONNX model of one input of numbers, for ONNX Runtime on Java 17 or newer.
 *
 * <pre>
 *   java -cp 'lib/*' OnnxServer.java
 * </pre>
 *
 * The directory with the model comes in {@code KUBEFLOW_MODEL_PATH}, the port in {@code PORT}.
 * {@code POST /v1/models/NAME:predict} with {@code {"instances": [[…], …]}} answers with the outputs
 * of the model by their names.
 */
final class OnnxServer {
  private static final int MOST_BYTES = 4 << 20;
  private static final String NAME = System.getenv().getOrDefault("KUBEFLOW_MODEL_NAME", "model");
  private static final Pattern ROW = Pattern.compile("\\[([-+0-9.eE,\\s]+)]");

  /** A fault of a request, in words. */
  private static final class Unfit extends Exception {
    private static final long serialVersionUID = 1L;

    Unfit(String message) {
      super(message);
    }
  }

  private final OrtEnvironment environment = OrtEnvironment.getEnvironment();
  private final OrtSession session;
  private final String input;

  private OnnxServer(Path model) throws OrtException {
    OrtSession.SessionOptions options = new OrtSession.SessionOptions();
    // Requests run beside each other, each on one core.
    options.setIntraOpNumThreads(1);
    this.session = environment.createSession(model.toString(), options);
    this.input = session.getInputNames().iterator().next();
  }

  public static void main(String[] arguments) throws Exception {
    OnnxServer own = new OnnxServer(model(Path.of(System.getenv("KUBEFLOW_MODEL_PATH"))));
    int port = Integer.parseInt(System.getenv().getOrDefault("PORT", "8080"));
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 512);
    server.setExecutor(Executors.newCachedThreadPool());
    server.createContext("/v1/models/" + NAME, own::answer);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> server.stop(5)));
    server.start();
    System.out.println("serving " + NAME + " on port " + port);
  }

  private static Path model(Path directory) throws IOException {
    try (DirectoryStream<Path> models = Files.newDirectoryStream(directory, "*.onnx")) {
      for (Path model : models) {
        return model;
      }
    }
    throw new IOException("there is no .onnx file in " + directory);
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      if (exchange.getRequestMethod().equals("GET") && path.equals("/v1/models/" + NAME)) {
        say(exchange, 200, "{\"name\": \"%s\", \"state\": \"AVAILABLE\"}".formatted(NAME));
      } else if (path.equals("/v1/models/" + NAME + ":predict")) {
        predict(exchange);
      } else {
        say(exchange, 404, "{\"error\": \"there is GET %1$s and POST %1$s:predict\"}"
            .formatted("/v1/models/" + NAME));
      }
    }
  }

  private void predict(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readNBytes(MOST_BYTES + 1);
    if (body.length > MOST_BYTES) {
      say(exchange, 413, "{\"error\": \"a request has at most 4 MiB\"}");
      return;
    }
    try {
      say(exchange, 200, outputs(rows(new String(body, StandardCharsets.UTF_8))));
    } catch (Unfit | OrtException e) {
      say(exchange, 400, "{\"error\": \"%s\"}".formatted(e.getMessage().replaceAll("[\"\\\\\\s]+", " ")));
    }
  }

  /** The rows of {@code {"instances": [[…], …]}}: numbers only, so this needs no library. */
  private static float[][] rows(String body) throws Unfit {
    if (!body.contains("\"instances\"")) {
      throw new Unfit("a request is {instances: [[numbers], ...]}");
    }
    List<float[]> rows = new ArrayList<>();
    Matcher row = ROW.matcher(body);
    while (row.find()) {
      String[] words = row.group(1).split(",");
      float[] numbers = new float[words.length];
      for (int i = 0; i < words.length; i++) {
        try {
          numbers[i] = Float.parseFloat(words[i].strip());
        } catch (NumberFormatException e) {
          throw new Unfit("'" + words[i].strip() + "' is no number");
        }
      }
      if (!rows.isEmpty() && rows.get(0).length != numbers.length) {
        throw new Unfit("all rows have the same length");
      }
      rows.add(numbers);
    }
    if (rows.isEmpty()) {
      throw new Unfit("there is no row");
    }
    return rows.toArray(float[][]::new);
  }

  private String outputs(float[][] rows) throws OrtException {
    try (OnnxTensor images = OnnxTensor.createTensor(environment, rows);
        OrtSession.Result result = session.run(Map.of(input, images))) {
      List<String> outputs = new ArrayList<>();
      for (Map.Entry<String, ai.onnxruntime.OnnxValue> output : result) {
        outputs.add("\"%s\": %s".formatted(output.getKey(), json(output.getValue().getValue())));
      }
      return outputs.stream().collect(Collectors.joining(", ", "{", "}"));
    }
  }

  private static String json(Object value) {
    if (value instanceof float[][] table) {
      return Arrays.stream(table).map(Arrays::toString).toList().toString();
    }
    if (value instanceof float[] numbers) {
      return Arrays.toString(numbers);
    }
    if (value instanceof long[] numbers) {
      return Arrays.toString(numbers);
    }
    return "\"" + value.getClass().getSimpleName() + "\"";
  }

  private static void say(HttpExchange exchange, int status, String text) throws IOException {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
  }
}
