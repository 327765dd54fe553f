package io.orrery.core.project;

import io.orrery.core.text.Nearest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads a list of mounts and finds everything that is wrong with it. */
final class MountReader {
  private static final String FORM =
      "write name(kind):/path, as in kubeflow-archives(pvc):/archives";

  /** The longest word for which the nearest kind is searched. */
  private static final int MOST_WORD = 40;

  private final Set<VolumeKind> allowed;
  private final TextFindings found = new TextFindings();
  private final List<VolumeMount> mounts = new ArrayList<>();
  private final Map<String, TextEntry> byPath = new HashMap<>();

  private MountReader(Set<VolumeKind> allowed) {
    this.allowed = allowed;
  }

  static Parsed<Mounts> read(String text, Set<VolumeKind> allowed) {
    MountReader reader = new MountReader(allowed);
    if (reader.found.allows(text, Mounts.MOST_CHARACTERS)) {
      reader.list(TextEntry.of(text).entries(MountSyntax.SEPARATORS));
    }
    Mounts mounts = new Mounts(reader.mounts);
    if (mounts.text().length() > Mounts.MOST_CHARACTERS && reader.found.none()) {
      reader.found.wrong(
          TextEntry.of(text),
          "with the kind of each mount the text has more than %,d characters"
              .formatted(Mounts.MOST_CHARACTERS));
    }
    return reader.found.with(mounts);
  }

  private void list(List<TextEntry> entries) {
    for (int i = 0; i < entries.size(); i++) {
      if (i == Mounts.MOST_MOUNTS) {
        found.wrong(
            entries.get(i),
            "there are %d mounts, and at most %d are allowed".formatted(entries.size(), i));
        return;
      }
      entry(entries.get(i));
    }
  }

  private void entry(TextEntry entry) {
    String text = entry.text();
    String fault = Characters.fault(text);
    int colon = text.indexOf(':');
    int open = text.indexOf('(');
    if (fault != null) {
      found.wrong(entry, Characters.quoted(text) + " " + fault);
    } else if (open >= 0 && (colon < 0 || open < colon)) {
      withKind(entry, open);
    } else if (colon >= 0) {
      withoutKind(entry, colon);
    } else {
      found.wrong(entry, Characters.quoted(text) + " has no ':' and path; " + FORM);
    }
  }

  private void withKind(TextEntry entry, int open) {
    int close = entry.text().indexOf(')', open);
    if (close < 0) {
      found.wrong(entry, Characters.quoted(entry.text()) + " has a '(' without a ')'; " + FORM);
      return;
    }
    TextEntry source = entry.part(0, open);
    VolumeKind kind = kind(entry.part(open + 1, close));
    TextEntry rest = entry.after(close + 1);
    if (rest.text().startsWith(":")) {
      mount(entry, kind, source, rest.after(1));
      return;
    }
    if (kind != null) {
      source(kind, source);
    }
    found.wrong(
        rest,
        rest.text().isEmpty()
            ? "the path in the container is missing; " + FORM
            : Characters.quoted(rest.text()) + " follows the kind without a ':'; " + FORM);
  }

  private void withoutKind(TextEntry entry, int colon) {
    if (!allowed.contains(VolumeKind.HOSTPATH)) {
      found.wrong(entry, Characters.quoted(entry.text()) + " has no kind; " + kinds());
      return;
    }
    VolumeMount mount =
        mount(entry, VolumeKind.HOSTPATH, entry.part(0, colon), entry.after(colon + 1));
    if (mount != null) {
      found.notice(
          entry,
          Characters.quoted(entry.text())
              + " has no kind and is taken as a directory of the node: "
              + mount.text());
    }
  }

  private @Nullable VolumeKind kind(TextEntry word) {
    VolumeKind kind = VolumeKind.of(word.text()).filter(allowed::contains).orElse(null);
    if (kind == null) {
      String hint =
          word.text().length() > MOST_WORD ? "" : Nearest.hint(word.text(), allowedWords());
      String wrong =
          VolumeKind.of(word.text()).isPresent() ? " is not allowed here" : " is not a kind";
      found.wrong(word, Characters.quoted(word.text()) + wrong + hint + "; " + kinds());
    }
    return kind;
  }

  private String kinds() {
    return "allowed kinds are " + String.join(", ", allowedWords());
  }

  private List<String> allowedWords() {
    return Arrays.stream(VolumeKind.values())
        .filter(allowed::contains)
        .map(VolumeKind::word)
        .toList();
  }

  /** The source in canonical form; null after a finding. */
  private @Nullable String source(VolumeKind kind, TextEntry written) {
    String source = MountSyntax.source(kind, written.text());
    String fault = MountSyntax.sourceFault(kind, source);
    if (fault != null) {
      found.wrong(written, fault);
    }
    return fault == null ? source : null;
  }

  /** Adds a mount when its parts are right. */
  private @Nullable VolumeMount mount(
      TextEntry entry, @Nullable VolumeKind kind, TextEntry source, TextEntry path) {
    String from = kind == null ? null : source(kind, source);
    String to = MountSyntax.path(path.text());
    String fault = MountSyntax.pathFault(to);
    if (fault != null) {
      found.wrong(path, fault);
      return null;
    }
    TextEntry before = byPath.putIfAbsent(to, entry);
    if (before != null) {
      found.wrong(
          path,
          "%s is the path of two mounts, here and of %s at character %d; keep one of them"
              .formatted(
                  Characters.quoted(to), Characters.quoted(before.text()), before.offset() + 1));
      return null;
    }
    if (kind == null || from == null) {
      return null;
    }
    VolumeMount mount = new VolumeMount(kind, from, to);
    mounts.add(mount);
    return mount;
  }
}
