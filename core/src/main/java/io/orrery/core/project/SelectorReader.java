package io.orrery.core.project;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads a node selector and finds everything that is wrong with it. */
final class SelectorReader {
  private static final String SEPARATORS = ";\n\r\t";
  private static final String FORM = "write key=value, as in org=public";

  private final TextFindings found = new TextFindings();
  private final Map<String, String> labels = new LinkedHashMap<>();

  private SelectorReader() {}

  static Parsed<NodeSelector> read(String text) {
    SelectorReader reader = new SelectorReader();
    if (reader.found.allows(text, NodeSelector.MOST_CHARACTERS)) {
      reader.list(TextEntry.of(text).entries(SEPARATORS));
    }
    return reader.found.with(new NodeSelector(reader.labels));
  }

  /** Reads {@code a,b}; a blank text has no element. */
  static Parsed<List<String>> orgs(String text) {
    SelectorReader reader = new SelectorReader();
    TextEntry whole = TextEntry.of(text);
    List<String> orgs =
        whole.text().isEmpty() || !reader.found.allows(text, NodeSelector.MOST_CHARACTERS)
            ? List.of()
            : reader.orgs(whole);
    return reader.found.with(orgs);
  }

  private void list(List<TextEntry> entries) {
    for (int i = 0; i < entries.size(); i++) {
      if (i == NodeSelector.MOST_LABELS) {
        found.wrong(
            entries.get(i),
            "there are %d labels, and at most %d are allowed".formatted(entries.size(), i));
        return;
      }
      label(entries.get(i));
    }
  }

  private void label(TextEntry entry) {
    String text = entry.text();
    String fault = Characters.fault(text);
    int equals = text.indexOf('=');
    if (fault != null) {
      found.wrong(entry, Characters.quoted(text) + " " + fault);
      return;
    }
    if (equals < 0) {
      found.wrong(entry, Characters.quoted(text) + " has no '='; " + FORM);
      return;
    }
    TextEntry key = entry.part(0, equals);
    String wrongKey =
        key.text().isEmpty()
            ? "the key before '=' is missing; " + FORM
            : LabelSyntax.keyFault(key.text());
    if (wrongKey != null) {
      found.wrong(key, wrongKey);
    }
    String value = value(key.text(), entry.after(equals + 1));
    if (wrongKey == null && value != null) {
      add(entry, key.text(), value);
    }
  }

  /** The value in canonical form; null after a finding. */
  private @Nullable String value(String key, TextEntry value) {
    String text = value.text();
    if (key.equals(NodeSelector.ORG)) {
      List<String> orgs = orgs(value);
      return orgs.isEmpty() ? null : String.join(",", orgs);
    }
    String fault = LabelSyntax.valueFault(text);
    if (fault != null) {
      found.wrong(
          value,
          text.indexOf(',') >= 0
              ? "only org may have several values; write ';' between two labels"
              : fault);
    }
    return fault == null ? text : null;
  }

  /** Each resource group once; empty after a finding. */
  private List<String> orgs(TextEntry value) {
    Set<String> orgs = new LinkedHashSet<>();
    boolean isRight = true;
    for (TextEntry org : value.split(",")) {
      String fault =
          org.text().isEmpty()
              ? "a resource group is missing, as in org=public or org=public,vision"
              : LabelSyntax.valueFault(org.text());
      if (fault != null) {
        found.wrong(org, fault);
        isRight = false;
      } else {
        orgs.add(org.text());
      }
    }
    return isRight ? List.copyOf(orgs) : List.of();
  }

  private void add(TextEntry entry, String key, String value) {
    String before = labels.putIfAbsent(key, value);
    if (before == null) {
      return;
    }
    if (before.equals(value)) {
      found.notice(entry, Characters.quoted(entry.text()) + " is repeated and left out");
      return;
    }
    String either = key.equals(NodeSelector.ORG) ? "; for machines of either write org=a,b" : "";
    found.wrong(
        entry,
        "%s has the value %s here and %s before; a machine has one value of a label%s"
            .formatted(
                Characters.quoted(key),
                Characters.quoted(value),
                Characters.quoted(before),
                either));
  }
}
