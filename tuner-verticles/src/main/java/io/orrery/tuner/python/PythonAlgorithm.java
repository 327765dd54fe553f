package io.orrery.tuner.python;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * A process with a user's algorithm in it. Asked by one thread at a time; may be closed by any.
 *
 * <p>A question that is interrupted ends the process, for its answer would come to the next one.
 * After any failure it is of no use any more and must be closed.
 */
public final class PythonAlgorithm implements AutoCloseable {
  private static final int LONGEST_ANSWER = 64 << 20;

  private final Process process;
  private final Complaints complaints;
  private final OutputStream questions;

  /** What the process said, then why there is no more; never more than a few. */
  private final BlockingQueue<Line> lines = new LinkedBlockingQueue<>();

  /** A line of it, or, in place of the next one, its end. */
  private record Line(@Nullable String text, String end) {}

  PythonAlgorithm(Process process, Complaints complaints) {
    this.process = process;
    this.complaints = complaints;
    this.questions = process.getOutputStream();
    Thread.ofPlatform()
        .name("orrery-python-" + process.pid())
        .daemon()
        .start(() -> read(process.getInputStream()));
  }

  /**
   * Asks one thing.
   *
   * @param question an object with {@code do}
   * @return the answer
   * @throws ProblemException Broken, with what the user's code raised, or how the process ended
   */
  public JsonNode ask(ObjectNode question) throws InterruptedException {
    try {
      questions.write((question + "\n").getBytes(StandardCharsets.UTF_8));
      questions.flush();
    } catch (IOException gone) {
      // How it went stands at the end of what it said.
    }
    Line line;
    try {
      line = lines.take();
    } catch (InterruptedException e) {
      close();
      throw e;
    }
    String text = line.text();
    if (text == null) {
      lines.add(line);
      throw failure(line.end());
    }
    JsonNode answer = answer(text);
    if (answer.hasNonNull("error")) {
      throw failure(answer.path("error").asText());
    }
    return answer.path("ok");
  }

  private static JsonNode answer(String text) {
    try {
      return Json.parse(text);
    } catch (ProblemException e) {
      throw failure("it answered with something that is not JSON: " + e.getMessage());
    }
  }

  static ProblemException failure(String why) {
    return new Problem.Broken(why).toException();
  }

  /** Ends the process with all that it has started; returns at once. */
  @Override
  public void close() {
    // The guard of the process, which runs none of the user's code, kills the rest.
    process.toHandle().destroy();
  }

  private void read(InputStream stream) {
    String end;
    try (InputStream answers = new BufferedInputStream(stream)) {
      ByteArrayOutputStream line = new ByteArrayOutputStream();
      for (int b = answers.read(); b >= 0; b = answers.read()) {
        if (b == '\n') {
          lines.add(new Line(line.toString(StandardCharsets.UTF_8), ""));
          line.reset();
        } else if (line.size() < LONGEST_ANSWER) {
          line.write(b);
        } else {
          throw new IOException("an answer of more than " + LONGEST_ANSWER + " bytes");
        }
      }
      end = ended(process.waitFor());
    } catch (IOException e) {
      end = "its process was ended: " + e.getMessage();
    } catch (InterruptedException e) {
      end = "its process was ended";
    }
    close();
    lines.add(new Line(null, end));
  }

  private String ended(int code) {
    String last = complaints.last();
    return "its process ended with code "
        + code
        + (last.isEmpty() ? "" : "; the last that it wrote to stderr: " + last);
  }
}
