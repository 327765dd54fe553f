package io.orrery.cli.apply;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.Session;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A comparison of each look at a list of objects with the one before. */
final class ObjectChanges {
  private final Session session;
  private final ObjectKind kind;
  private final boolean wide;
  private Map<String, Seen> before = Map.of();

  ObjectChanges(Session session, ObjectKind kind, boolean wide) {
    this.session = session;
    this.kind = kind;
    this.wide = wide;
  }

  private record Seen(JsonNode item, String cells) {}

  /**
   * A difference that a look found.
   *
   * @param changed objects that are new or not as they were
   * @param lines of a table, of objects whose cells are new or not as they were
   * @param gone names of objects that are not there any more
   */
  record News(List<JsonNode> changed, List<String> lines, List<String> gone) {
    News {
      changed = List.copyOf(changed);
      lines = List.copyOf(lines);
      gone = List.copyOf(gone);
    }
  }

  /** Takes a look. */
  News seen(List<JsonNode> items) {
    List<String> rows = rows(items);
    Map<String, Seen> now = new LinkedHashMap<>();
    List<JsonNode> changed = new ArrayList<>();
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < items.size(); i++) {
      JsonNode item = items.get(i);
      // Widths of columns differ from look to look.
      Seen seen = new Seen(item, rows.get(i).replaceAll("\\s+", " "));
      Seen earlier = before.get(ObjectTable.name(item));
      if (earlier == null || !earlier.item().equals(item)) {
        changed.add(item);
      }
      if (earlier == null || !earlier.cells().equals(seen.cells())) {
        lines.add(rows.get(i));
      }
      now.put(ObjectTable.name(item), seen);
    }
    List<String> gone = before.keySet().stream().filter(name -> !now.containsKey(name)).toList();
    before = now;
    return new News(changed, lines, gone);
  }

  /** The lines of the table of these objects, without its heading. */
  private List<String> rows(List<JsonNode> items) {
    ByteArrayOutputStream drawn = new ByteArrayOutputStream();
    ObjectTable.of(
        kind,
        wide,
        new Session(
            session.terminal().printingTo(new PrintStream(drawn, true, StandardCharsets.UTF_8))),
        items);
    return drawn.toString(StandardCharsets.UTF_8).lines().skip(1).toList();
  }
}
