package io.orrery.orchestrator.run;

import io.orrery.compute.service.TrainingService;
import io.orrery.core.async.AsyncLoop;
import io.orrery.core.bus.contract.Trials.LogPiece;
import io.orrery.core.bus.contract.Trials.Stream;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.problem.FileFault;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.run.OutputSpec;
import io.orrery.core.run.StepOutput;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Keeps the declared outputs of an attempt that has ended well. */
final class OutputCollector {
  private static final int PIECE = 1 << 20;

  private final Vertx vertx;
  private final RunArtifacts artifacts;

  OutputCollector(Vertx vertx, RunArtifacts artifacts) {
    this.vertx = vertx;
    this.artifacts = artifacts;
  }

  /**
   * Collects outputs.
   *
   * @return completes when all artifacts are on the disk; fails with Refused, and what is missing
   */
  Future<List<StepOutput>> collect(
      List<OutputSpec> wanted,
      StepDirectories directories,
      TrainingService service,
      AttemptRef attempt) {
    if (wanted.isEmpty()) {
      return Future.succeededFuture(List.of());
    }
    return values(wanted, directories, service, attempt)
        .compose(lines ->
            vertx.executeBlocking(() -> collect(wanted, directories.outputs(), lines), false));
  }

  /** The lines of stdout that name values, when a value has no file. */
  private Future<Map<String, String>> values(
      List<OutputSpec> wanted,
      StepDirectories directories,
      TrainingService service,
      AttemptRef attempt) {
    if (wanted.stream().noneMatch(OutputSpec::value)) {
      return Future.succeededFuture(Map.of());
    }
    return vertx
        .executeBlocking(
            () ->
                wanted.stream()
                    .filter(OutputSpec::value)
                    .allMatch(value ->
                        Files.isRegularFile(directories.outputs().resolve(value.source()))),
            false)
        .compose(all -> all ? Future.succeededFuture(Map.of()) : scan(service, attempt));
  }

  private static Future<Map<String, String>> scan(TrainingService service, AttemptRef attempt) {
    OutputLines lines = new OutputLines();
    return AsyncLoop.iterate(
            0L,
            offset ->
                service
                    .readLog(attempt, Stream.STDOUT, offset, PIECE)
                    .map((LogPiece piece) -> {
                      lines.read(piece.bytes());
                      return piece.bytes().length == 0
                          ? Optional.empty()
                          : Optional.of(piece.next());
                    }))
        .map(all -> lines.end());
  }

  private List<StepOutput> collect(
      List<OutputSpec> wanted, Path outputs, Map<String, String> lines) {
    List<StepOutput> found = new ArrayList<>();
    List<Finding> missing = new ArrayList<>();
    for (OutputSpec output : wanted) {
      try {
        found.add(output.value() ? value(output, outputs, lines) : artifact(output, outputs));
      } catch (IOException e) {
        missing.add(
            new Finding("", "the output %s: %s".formatted(output.name(), FileFault.words(e))));
      }
    }
    if (!missing.isEmpty()) {
      throw new Problem.Refused(
              String.join("; ", missing.stream().map(Finding::message).toList()), missing)
          .toException();
    }
    return found;
  }

  private StepOutput artifact(OutputSpec output, Path outputs) throws IOException {
    Path source = within(outputs, output.source());
    if (!Files.exists(source)) {
      throw new IOException(
          "the step has written no $ORRERY_OUTPUTS/%s".formatted(output.source()));
    }
    return artifacts.put(output.name(), source);
  }

  private static StepOutput value(OutputSpec output, Path outputs, Map<String, String> lines)
      throws IOException {
    Path file = within(outputs, output.source());
    String text = lines.get(output.source());
    if (Files.isRegularFile(file)) {
      if (Files.size(file) > OutputSpec.MOST_BYTES) {
        throw new IOException(tooLong(Files.size(file)));
      }
      text = withoutEnd(Files.readString(file));
    }
    if (text == null) {
      throw new IOException(
          "the step has written neither $ORRERY_OUTPUTS/%s nor a line 'orrery: output %s VALUE'"
              .formatted(output.source(), output.source()));
    }
    int bytes = text.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > OutputSpec.MOST_BYTES) {
      throw new IOException(tooLong(bytes));
    }
    return new StepOutput(output.name(), StepOutput.Kind.VALUE, text, null, bytes);
  }

  private static String tooLong(long bytes) {
    return "a value has at most %,d bytes, this one has %,d: make it a file"
        .formatted(OutputSpec.MOST_BYTES, bytes);
  }

  /** Without the end of the last line, which {@code echo} adds. */
  private static String withoutEnd(String text) {
    return text.endsWith("\r\n")
        ? text.substring(0, text.length() - 2)
        : text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
  }

  /** A path below the directory of outputs, links that lead out of it refused. */
  private static Path within(Path outputs, String source) throws IOException {
    Path path = outputs.resolve(source).normalize();
    if (!path.startsWith(outputs)
        || (Files.exists(path) && !path.toRealPath().startsWith(outputs.toRealPath()))) {
      throw new IOException("it lies outside of $ORRERY_OUTPUTS");
    }
    return path;
  }

  /** Finds {@code orrery: output NAME VALUE} in a stream of bytes; of several lines the last. */
  static final class OutputLines {
    private static final String PREFIX = "orrery: output ";
    private static final int MOST_LINE = 2 * OutputSpec.MOST_BYTES;
    private static final int MOST_NAMES = 1_000;

    private final Map<String, String> found = new HashMap<>();
    private byte[] line = new byte[256];
    private int length;
    private boolean tooLong;

    void read(byte[] bytes) {
      for (byte each : bytes) {
        if (each == '\n') {
          end();
        } else if (length >= MOST_LINE) {
          tooLong = true;
        } else {
          if (length == line.length) {
            line = Arrays.copyOf(line, Math.min(MOST_LINE, 2 * length));
          }
          line[length++] = each;
        }
      }
    }

    /** Ends the last line. */
    Map<String, String> end() {
      if (!tooLong && length > PREFIX.length() && line[0] == 'o') {
        take(new String(line, 0, length, StandardCharsets.UTF_8));
      }
      length = 0;
      tooLong = false;
      return found;
    }

    private void take(String text) {
      String plain = text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
      if (!plain.startsWith(PREFIX)) {
        return;
      }
      String rest = plain.substring(PREFIX.length());
      int space = rest.indexOf(' ');
      String name = space < 0 ? rest : rest.substring(0, space);
      if (found.containsKey(name) || found.size() < MOST_NAMES) {
        found.put(name, space < 0 ? "" : rest.substring(space + 1));
      }
    }
  }
}
