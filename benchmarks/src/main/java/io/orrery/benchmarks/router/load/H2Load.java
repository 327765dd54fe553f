package io.orrery.benchmarks.router.load;

import io.orrery.benchmarks.report.Quantiles;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Clients of nghttp2's h2load: for what this package does not speak, TLS and HTTP/2. It is another
 * program, so that no side is measured against its own reading of a protocol. Each connection asks
 * again after each answer; it takes no rate.
 *
 * @param program where it is installed
 * @param core that it is tied to
 * @param folder for the body of requests and the log of a run
 * @param tls whether it uses TLS 1.3
 * @param protocol what has to be spoken, by the name of ALPN: {@code http/1.1}, {@code h2}, or
 *     {@code h2c}
 * @param streams requests under way on each connection; 1 for HTTP/1.1
 * @param grpc whether requests are unary calls of gRPC, whose bodies are messages of so many bytes
 */
public record H2Load(
    Path program, String core, Path folder, boolean tls, String protocol, int streams, boolean grpc)
    implements Asking {
  /** Bytes that say whether a message is compressed, and its length. */
  private static final int GRPC_PREFIX = 5;

  private static final String BEGIN = "Main benchmark duration is started";
  private static final String PROTOCOL = "Application protocol: ";
  private static final String TLS_VERSION = "TLS Protocol: ";
  private static final Pattern REQUESTS =
      Pattern.compile(
          "requests: .*?(\\d+) succeeded, (\\d+) failed, (\\d+) errored, (\\d+) timeout");
  private static final Pattern STATUSES = Pattern.compile("status codes: (\\d+) 2xx.*");

  @Override
  public LoadOutcome run(Task task, Watch watch) throws IOException {
    Path log = folder.resolve("h2load.log");
    Files.deleteIfExists(log);
    Process process =
        new ProcessBuilder(command(task, log))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    List<String> said = new ArrayList<>();
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        said.add(line);
        if (line.startsWith(BEGIN)) {
          watch.begins();
        }
      }
    } finally {
      process.destroy();
    }
    check(said, PROTOCOL, protocol);
    if (tls) {
      check(said, TLS_VERSION, "TLSv1.3");
    }
    return outcome(said, log, task.millis());
  }

  private List<String> command(Task task, Path log) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                "taskset",
                "-c",
                core,
                program.toString(),
                "--threads=1",
                "--clients=" + task.connections(),
                "--max-concurrent-streams=" + streams,
                "--warm-up-time=500ms",
                "--duration=" + task.millis() + "ms",
                "--log-file=" + log,
                "--connect-to=127.0.0.1:" + task.port()));
    if (protocol.equals("http/1.1")) {
      command.add("--h1");
    }
    if (grpc) {
      command.addAll(List.of("--header=content-type: application/grpc", "--header=te: trailers"));
    }
    if (task.bytes() > 0) {
      command.add("--data=" + Files.write(folder.resolve("body"), body(task.bytes())));
    }
    command.add((tls ? "https://" : "http://") + task.host() + "/v2/infer");
    return command;
  }

  private byte[] body(int bytes) {
    byte[] filling = new byte[bytes];
    Arrays.fill(filling, (byte) 'x');
    ByteBuffer body = ByteBuffer.allocate(bytes + (grpc ? GRPC_PREFIX : 0));
    if (grpc) {
      body.put((byte) 0).putInt(bytes);
    }
    return body.put(filling).array();
  }

  private void check(List<String> said, String what, String wanted) throws IOException {
    if (!said.contains(what + wanted)) {
      throw new IOException(
          program.getFileName()
              + " did not say '"
              + what
              + wanted
              + "' but:\n"
              + String.join("\n", said));
    }
  }

  private LoadOutcome outcome(List<String> said, Path log, int millis) throws IOException {
    Matcher requests = match(said, REQUESTS);
    int done = Integer.parseInt(match(said, STATUSES).group(1));
    int succeeded = Integer.parseInt(requests.group(1));
    int failed = 0;
    for (int group = 2; group <= 4; group++) {
      failed += Integer.parseInt(requests.group(group));
    }
    double[] times;
    try (Stream<String> lines = Files.lines(log)) {
      times = lines.mapToDouble(line -> Integer.parseInt(line.split("\t", 4)[2]) / 1e3).toArray();
    }
    Quantiles quantiles = new Quantiles(times.length == 0 ? new double[1] : times);
    return new LoadOutcome(
        Math.min(done, succeeded),
        failed + Math.max(0, succeeded - done),
        0,
        done * 1e3 / millis,
        quantiles.at(0.5),
        quantiles.at(0.99),
        quantiles.at(0.999),
        quantiles.at(1),
        new int[1]);
  }

  private Matcher match(List<String> said, Pattern pattern) throws IOException {
    for (String line : said) {
      Matcher matcher = pattern.matcher(line);
      if (matcher.matches()) {
        return matcher;
      }
    }
    throw new IOException(program.getFileName() + " reported nothing:\n" + String.join("\n", said));
  }
}
