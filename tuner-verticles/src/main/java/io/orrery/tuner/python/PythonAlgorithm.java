package io.orrery.tuner.python;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;
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

  private final Child child;
  private final OutputStream questions;

  /** What the process said, then why there is no more; never more than a few. */
  private final BlockingQueue<Output> lines = new LinkedBlockingQueue<>();

  /** A line of it, or, in place of the next one, its end. */
  private record Output(@Nullable String text, String end) {}

  PythonAlgorithm(Child child) {
    this.child = child;
    this.questions = child.input();
    Thread.ofPlatform()
        .name("orrery-python-" + child.pid())
        .daemon()
        .start(() -> read(child.output()));
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
      // The last line that it wrote says why it ended.
    }
    Output line;
    try {
      line = lines.take();
    } catch (InterruptedException e) {
      close();
      throw e;
    }
    String text = line.text();
    if (text == null) {
      lines.add(line);
      throw Child.failure(line.end());
    }
    JsonNode answer = answer(text);
    if (answer.hasNonNull("error")) {
      throw Child.failure(answer.path("error").asText());
    }
    return answer.path("ok");
  }

  private static JsonNode answer(String text) {
    try {
      return Json.parse(text);
    } catch (ProblemException e) {
      throw Child.failure("it answered with something that is not JSON: " + e.getMessage());
    }
  }

  /** Ends the process with all that it has started; returns at once. */
  @Override
  public void close() {
    child.end();
  }

  private void read(InputStream stream) {
    String end;
    try (InputStream answers = new BufferedInputStream(stream)) {
      ByteArrayOutputStream line = new ByteArrayOutputStream();
      for (int b = answers.read(); b >= 0; b = answers.read()) {
        if (b == '\n') {
          lines.add(new Output(line.toString(StandardCharsets.UTF_8), ""));
          line.reset();
        } else if (line.size() < LONGEST_ANSWER) {
          line.write(b);
        } else {
          throw new IOException("an answer of more than " + LONGEST_ANSWER + " bytes");
        }
      }
      end = child.awaitEnd();
    } catch (IOException e) {
      end = "its process was ended: " + e.getMessage();
    } catch (InterruptedException e) {
      end = "its process was ended";
    }
    close();
    lines.add(new Output(null, end));
  }
}
