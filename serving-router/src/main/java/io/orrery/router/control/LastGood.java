package io.orrery.router.control;

import io.orrery.core.file.KeptFile;
import io.orrery.core.problem.FileFault;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.router.route.RouteReader;
import io.orrery.router.route.RouteTable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The last table that was accepted, on disk: a router starts with it when nobody gives it one. */
public final class LastGood {
  private static final Logger LOG = LoggerFactory.getLogger(LastGood.class);

  private final Path file;

  public LastGood(Path file) {
    this.file = file;
  }

  /** Keeps a table; it is there after a crash. */
  public void keep(RouteTable table) throws IOException {
    Path parent = file.toAbsolutePath().getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
    String text = "{\"services\":" + table.document() + "}";
    KeptFile.write(file, text.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * The table that was kept; empty when there is none, or none that can be used any more.
   *
   * @throws ProblemException Conflict when it is missing or is not what was kept, Broken when it
   *     cannot be read
   */
  public Optional<RouteTable> find(String domain) {
    try {
      return KeptFile.read(file).flatMap(kept -> read(kept, domain));
    } catch (IOException e) {
      throw new Problem.Broken("the last route table cannot be read: " + FileFault.words(e))
          .toException();
    }
  }

  private Optional<RouteTable> read(byte[] kept, String domain) {
    try {
      return Optional.of(RouteReader.read(new String(kept, StandardCharsets.UTF_8), domain));
    } catch (ProblemException e) {
      LOG.warn("could not use the last route table {}: {}", file, e.getMessage());
      return Optional.empty();
    }
  }
}
