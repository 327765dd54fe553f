package io.orrery.studio.notebook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.bus.contract.Notebooks;
import io.orrery.core.json.Json;
import io.orrery.core.notebook.NotebookIde;
import io.orrery.core.notebook.NotebookName;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.project.Mounts;
import io.orrery.core.project.Parsed;
import io.orrery.core.text.Nearest;
import io.orrery.core.time.DurationText;
import io.orrery.core.workload.Amount;
import io.orrery.core.workload.Resources;
import io.orrery.core.workload.Workspaces;
import io.orrery.studio.document.AmountText;
import io.orrery.studio.document.DocumentKeys;
import io.orrery.studio.document.VariableReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the document of a notebook, with everything that is wrong in it. */
final class NotebookDocumentReader {
  /** The keys that a document may have. */
  static final List<String> KEYS =
      List.of(
          "kind",
          "name",
          "title",
          "project",
          "ide",
          "cluster",
          "image",
          "resources",
          "env",
          "mounts",
          "open",
          "share",
          "ssh",
          "expiry");

  private static final Duration IDLE = Duration.ofHours(24);
  private static final Duration LEAST_IDLE = Duration.ofSeconds(5);
  private static final Duration MOST_IDLE = Duration.ofDays(60);
  private static final int MOST_PATH = 1_000;

  /** Variables by which the server starts the program. */
  private static final Set<String> RESERVED =
      Set.of(
          "PORT",
          "PORT_SSH",
          "USERNAME",
          "NOTEBOOK_NAME",
          "JUPYTER_TOKEN",
          "JUPYTER_RUNTIME_DIR",
          "XDG_RUNTIME_DIR",
          "HOME");

  private static final Pattern USER = Pattern.compile("[^\\s/\\\\]{1,100}");

  /** A public key as OpenSSH writes it, without options, which could weaken what it is for. */
  private static final Pattern KEY =
      Pattern.compile(
          "(ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp(256|384|521)"
              + "|sk-ssh-ed25519@openssh\\.com|sk-ecdsa-sha2-nistp256@openssh\\.com)"
              + " [A-Za-z0-9+/]{30,3000}={0,3}( [\\x20-\\x7e]{0,200})?");

  private static final int MOST_KEYS = 20;

  private final String owner;
  private final List<Finding> findings = new ArrayList<>();
  private final List<String> notices = new ArrayList<>();
  private final DocumentKeys keys;

  private NotebookDocumentReader(ObjectNode json, String owner) {
    this.owner = owner;
    this.keys = DocumentKeys.of(json, "", KEYS, findings::add);
  }

  /**
   * A document that is right.
   *
   * @param notices sentences about it
   */
  record Reading(NotebookDocument document, List<String> notices) {
    Reading {
      notices = List.copyOf(notices);
    }
  }

  /**
   * Reads a document.
   *
   * @param owner of the notebook
   * @throws io.orrery.core.problem.ProblemException Refused, with every finding
   */
  static Reading read(NotebookName name, String owner, String text) {
    if (!(Json.parse(text) instanceof ObjectNode json)) {
      throw new Problem.Refused(new Finding("", "the document of a notebook is an object"))
          .toException();
    }
    NotebookDocumentReader reader = new NotebookDocumentReader(json, owner);
    NotebookDocument document = reader.document(name);
    if (!reader.findings.isEmpty()) {
      throw Problem.Refused.of(reader.findings).toException();
    }
    return new Reading(document, reader.notices);
  }

  private NotebookDocument document(NotebookName name) {
    String kind = keys.text("kind", 100);
    if (kind != null && !kind.equals("Notebook")) {
      keys.wrong("kind", "the kind is Notebook here, not " + kind);
    }
    String written = keys.text("name", 100);
    if (written != null && !written.equals(name.value())) {
      keys.wrong("name", "the name is %s in the address and %s here".formatted(name, written));
    }
    keys.text("title", 500);
    return new NotebookDocument(
        ide(),
        keys.text("cluster", 100),
        image(),
        resources(),
        VariableReader.read(
            keys, "env", variable -> variable.startsWith("ORRERY_") || RESERVED.contains(variable)),
        mounts(),
        open(),
        share(),
        sshKeys(),
        idle());
  }

  private NotebookIde ide() {
    String word = keys.text("ide", 100);
    if (word == null) {
      return NotebookIde.JUPYTER;
    }
    Optional<NotebookIde> ide = NotebookIde.of(word);
    if (ide.isEmpty()) {
      keys.wrong(
          "ide",
          "ide is one of "
              + String.join(", ", NotebookIde.words())
              + Nearest.hint(word, NotebookIde.words()));
    }
    return ide.orElse(NotebookIde.JUPYTER);
  }

  /** The image; {@code host} stands for the programs of the machine. */
  private @Nullable String image() {
    String image = keys.text("image", 500);
    return image == null || image.isBlank() || image.equals("host") ? null : image;
  }

  private Resources resources() {
    ObjectNode object = keys.object("resources");
    if (object == null) {
      return Resources.UNLIMITED;
    }
    DocumentKeys inner = keys.inner(object, "resources", List.of("cpu", "memory", "gpu"));
    Amount cpu = amount(inner, "cpu", AmountText::cpu, "cores such as 4", Amount.UNLIMITED);
    Amount memory =
        amount(inner, "memory", AmountText::memory, "memory such as 8G", Amount.UNLIMITED);
    int gpus = amount(inner, "gpu", AmountText::gpus, "a number of GPUs such as 1 or 1(V100)", 0);
    return new Resources(limit(cpu), limit(memory), gpus);
  }

  /** Notebooks are often at rest, so nothing is set aside for one. */
  private static Amount limit(Amount amount) {
    return new Amount(0, amount.most());
  }

  private static <T> T amount(
      DocumentKeys keys, String key, Function<String, Optional<T>> read, String example, T usual) {
    String text = keys.text(key, 100);
    if (text == null) {
      return usual;
    }
    Optional<T> amount = read.apply(text);
    if (amount.isEmpty()) {
      keys.wrong(key, key + " is " + example + ", not '" + text + "'");
    }
    return amount.orElse(usual);
  }

  private Mounts mounts() {
    String text = keys.text("mounts", Mounts.MOST_CHARACTERS);
    if (text == null) {
      return Mounts.NONE;
    }
    Parsed<Mounts> mounts = Mounts.read(text);
    mounts.findings().forEach(finding -> findings.add(finding.at("/mounts")));
    mounts.notices().forEach(notice -> notices.add(notice.at("/mounts").text()));
    return mounts.value();
  }

  private @Nullable String open() {
    String path = keys.text("open", MOST_PATH);
    if (path == null || path.isBlank()) {
      return null;
    }
    String root = Workspaces.shownAt(owner).toString();
    boolean inside = path.equals(root) || path.startsWith(root + "/");
    if (!inside || List.of(path.split("/")).contains("..")) {
      keys.wrong("open", "open is a path below %s without '..', not '%s'".formatted(root, path));
      return null;
    }
    String rest = path.substring(root.length()).replaceAll("^/+|/+$", "");
    return rest.isEmpty() ? null : rest;
  }

  private List<String> share() {
    Set<String> users = new TreeSet<>();
    List<JsonNode> written = keys.list("share", Notebooks.MOST_SHARES);
    for (int place = 0; place < written.size(); place++) {
      JsonNode user = written.get(place);
      if (!user.isTextual() || !USER.matcher(user.textValue()).matches()) {
        findings.add(new Finding("/share/" + place, "share has names of users such as bob"));
      } else if (!user.textValue().equals(owner)) {
        users.add(user.textValue());
      }
    }
    return List.copyOf(users);
  }

  private List<String> sshKeys() {
    List<String> all = new ArrayList<>();
    List<JsonNode> written = keys.list("ssh", MOST_KEYS);
    for (int place = 0; place < written.size(); place++) {
      String key = written.get(place).asText().strip();
      if (KEY.matcher(key).matches()) {
        all.add(key);
      } else {
        findings.add(
            new Finding(
                "/ssh/" + place,
                "ssh has public keys as in ~/.ssh/id_ed25519.pub, such as 'ssh-ed25519 AAAA… ann',"
                    + " without options"));
      }
    }
    return all;
  }

  private Duration idle() {
    ObjectNode object = keys.object("expiry");
    if (object == null) {
      return IDLE;
    }
    DocumentKeys inner = keys.inner(object, "expiry", List.of("idle"));
    String text = inner.text("idle", 20);
    if (text == null) {
      return IDLE;
    }
    Duration idle = DurationText.parse(text).orElse(Duration.ZERO);
    if (idle.compareTo(LEAST_IDLE) < 0 || idle.compareTo(MOST_IDLE) > 0) {
      inner.wrong("idle", "idle is a duration such as 24h, from 5s to 60d");
      return IDLE;
    }
    return idle;
  }
}
