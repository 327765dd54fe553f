package io.orrery.router.control;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.file.KeptFile;
import io.orrery.core.json.Document;
import io.orrery.core.problem.FileFault;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.route.RouteLayer;
import io.orrery.router.route.References;
import io.orrery.router.route.RouteTable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The layers of the table that was accepted last, each in a file: a router starts with them when
 * nothing else gives it a table.
 */
public final class LastGood {
  private static final Logger LOG = LoggerFactory.getLogger(LastGood.class);
  private static final String REVISION = "revision";

  private final Map<RouteLayer, Path> files;

  /**
   * The files of a router.
   *
   * @param table of the layer {@link RouteLayer#TABLE}
   * @param studio of the layer {@link RouteLayer#STUDIO}, a copy of what the store has
   */
  public LastGood(Path table, Path studio) {
    this.files = Map.of(RouteLayer.TABLE, table, RouteLayer.STUDIO, studio);
  }

  /** Keeps a layer of a table; it is there after a crash. */
  void keep(RouteTable table, RouteLayer layer) throws IOException {
    Path file = file(layer);
    Path parent = file.toAbsolutePath().getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
    long revision = table.revision(layer);
    String known = revision == 0 ? "" : "\"" + REVISION + "\":" + revision + ",";
    String text = "{" + known + "\"services\":" + table.document(layer) + "}";
    KeptFile.write(file, text.getBytes(StandardCharsets.UTF_8));
  }

  private Path file(RouteLayer layer) {
    Path file = files.get(layer);
    if (file == null) {
      throw new IllegalArgumentException("no file for the layer " + layer.word());
    }
    return file;
  }

  /**
   * The table of all layers that were kept; without one that cannot be used any more.
   *
   * @throws ProblemException Conflict when the layer {@link RouteLayer#TABLE} is missing or is not
   *     what was kept, Broken when it cannot be read
   */
  public RouteTable find(String domain) {
    return with(findStudio(domain), RouteLayer.TABLE);
  }

  /**
   * The kept layer {@link RouteLayer#TABLE} alone.
   *
   * @throws ProblemException as above
   */
  public RouteTable findTable(String domain) {
    return with(RouteTable.empty(domain), RouteLayer.TABLE);
  }

  /**
   * The kept layer {@link RouteLayer#STUDIO} alone. A file that is missing or damaged is left
   * alone: the store has the layer.
   */
  public RouteTable findStudio(String domain) {
    RouteTable empty = RouteTable.empty(domain);
    try {
      return with(empty, RouteLayer.STUDIO);
    } catch (ProblemException e) {
      LOG.warn(
          "could not use the last route table {}: {}", file(RouteLayer.STUDIO), e.getMessage());
      return empty;
    }
  }

  private RouteTable with(RouteTable others, RouteLayer layer) {
    try {
      return KeptFile.read(file(layer)).map(kept -> with(others, layer, kept)).orElse(others);
    } catch (IOException e) {
      throw new Problem.Broken("the last route table cannot be read: " + FileFault.words(e))
          .toException();
    }
  }

  private RouteTable with(RouteTable others, RouteLayer layer, byte[] kept) {
    String text = new String(kept, StandardCharsets.UTF_8);
    long revision = 0;
    try {
      if (layer == RouteLayer.STUDIO && Document.read(text).root() instanceof ObjectNode object) {
        JsonNode known = object.remove(REVISION);
        revision = known == null ? 0 : known.asLong();
        text = object.toString();
      }
      return others.with(layer, revision, text, References.OPTIONAL);
    } catch (ProblemException e) {
      LOG.warn("could not use the last route table {}: {}", file(layer), e.getMessage());
      return others;
    }
  }
}
