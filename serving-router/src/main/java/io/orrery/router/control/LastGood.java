package io.orrery.router.control;

import io.orrery.core.file.AtomicFile;
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
    AtomicFile.write(file, text.getBytes(StandardCharsets.UTF_8));
  }

  /** The table that was kept; empty when there is none, or none that can be used any more. */
  public Optional<RouteTable> find(String domain) {
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    try {
      return Optional.of(RouteReader.read(Files.readString(file), domain));
    } catch (IOException | ProblemException e) {
      LOG.warn("the last route table, {}, cannot be used: {}", file, e.getMessage());
      return Optional.empty();
    }
  }
}
