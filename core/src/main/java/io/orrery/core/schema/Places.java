package io.orrery.core.schema;

import io.orrery.core.json.Document;
import io.orrery.core.problem.Finding;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The source positions of values in the canonical form. Everything is checked in the canonical v3
 * form, under its pointers; this leads back to the keys as they were spelled, to the v1 keys that
 * were translated, to the file that a search space came from, and to the line.
 */
public final class Places {
  /** A subtree that came out of another file, which is named in the message instead. */
  private record Source(String pointer, String file, Document document) {}

  private final Document document;
  private final Map<String, String> written = new HashMap<>();
  private final Map<String, Source> sources = new HashMap<>();

  public Places(Document document) {
    this.document = document;
  }

  /** The findings as their author should see them: own pointers and lines. */
  public List<Finding> placed(List<Finding> canonical) {
    return canonical.stream().map(this::place).toList();
  }

  Finding place(Finding canonical) {
    for (Map.Entry<String, Source> entry : sources.entrySet()) {
      String root = entry.getKey();
      if (canonical.pointer().equals(root) || canonical.pointer().startsWith(root + "/")) {
        Source source = entry.getValue();
        String inside = canonical.pointer().substring(root.length());
        Integer line = canonical.line() == null ? source.document().line(inside) : canonical.line();
        Finding there = new Finding(inside, canonical.message(), line);
        return at(source.pointer(), "in " + source.file() + ", " + there.text());
      }
    }
    return at(canonical.pointer(), canonical.message());
  }

  private Finding at(String pointer, String message) {
    return line(new Finding(written(pointer), message));
  }

  /** A finding at the author's pointer, with its line. */
  Finding line(Finding own) {
    return own.atLine(document.line(own.pointer()));
  }

  /** The author's pointer for a canonical one. */
  public String written(String pointer) {
    for (String p = pointer; !p.isEmpty(); p = p.substring(0, p.lastIndexOf('/'))) {
      String own = written.get(p);
      if (own != null) {
        return own + pointer.substring(p.length());
      }
    }
    return pointer;
  }

  /** The author's name of a canonical key, for sentences; an element is {@code list[2]}. */
  public String name(String pointer) {
    String[] steps = written(pointer).split("/", -1);
    String last = steps[steps.length - 1];
    return last.matches("[0-9]+") && steps.length > 2
        ? steps[steps.length - 2] + "[" + last + "]"
        : last.replace("~1", "/").replace("~0", "~");
  }

  public void put(String canonical, String own) {
    written.put(canonical, own);
  }

  /** What was written at one pointer counts for another one from now on. */
  public void move(String from, String to) {
    Map.copyOf(written)
        .forEach((pointer, own) -> {
          if (pointer.startsWith(from + "/")) {
            written.put(to + pointer.substring(from.length()), own);
          }
        });
    written.put(to, written(from));
  }

  /** The same document, in which one canonical pointer leads to where another one does here. */
  Places within(String canonical, String real) {
    Places inside = new Places(document);
    written.forEach((pointer, own) -> {
      if (!pointer.startsWith(canonical + "/")) {
        inside.written.put(pointer, own);
      }
    });
    inside.sources.putAll(sources);
    inside.written.put(canonical, written(real));
    written.forEach((pointer, own) -> {
      if (pointer.startsWith(real + "/")) {
        inside.written.put(canonical + pointer.substring(real.length()), own);
      }
    });
    return inside;
  }

  /** What was learnt of the place that such a copy has for another. */
  void absorb(Places inside, String canonical, String real) {
    inside.written.forEach((pointer, own) -> {
      if (pointer.equals(canonical) || pointer.startsWith(canonical + "/")) {
        written.put(real + pointer.substring(canonical.length()), own);
      }
    });
  }

  /** What is canonically at one pointer was read from the file that another pointer names. */
  public void cameFrom(String canonical, String pointer, String file, Document content) {
    sources.put(canonical, new Source(pointer, file, content));
  }
}
