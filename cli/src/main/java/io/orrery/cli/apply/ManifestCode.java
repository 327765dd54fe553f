package io.orrery.cli.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.file.FileKind;
import io.orrery.core.json.Document;
import io.orrery.core.problem.FileFault;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.ProblemException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A document with the directories of code beside it replaced by their digests, and the files that
 * it names put into it.
 *
 * @param directories that are to be uploaded, by digest
 * @param notices sentences about what is left out of them
 */
record ManifestCode(ObjectNode body, Map<String, Path> directories, List<String> notices) {
  private static final String CODE = "code";
  private static final String CONTEXT = "context";
  private static final String REQUIREMENTS = "requirements";
  private static final Pattern REQUIREMENTS_FILE = Pattern.compile("\\S+\\.(?:txt|in)");
  private static final String EXPERIMENT = "experiment";
  private static final String SERVICE = "service";
  private static final String PREFIX = "sha256:";

  /**
   * Looks at the code of a document.
   *
   * @param findings get a line for each fault
   */
  static ManifestCode of(Manifest manifest, List<String> findings) {
    ManifestCode code = new ManifestCode(manifest.body(), new LinkedHashMap<>(), new ArrayList<>());
    switch (manifest.kind()) {
      case PROJECT, REGISTRY, TEMPLATE, MODEL, DOMAIN, NOTEBOOK, EXPERIMENT, TOKEN -> {}
      case BUILD -> code.context(manifest, findings);
      case SERVICE -> code.replace(manifest, code.body, "", findings);
      case PIPELINE -> {
        JsonNode tasks = code.body.path("tasks");
        for (int i = 0; i < tasks.size(); i++) {
          code.embed(manifest, tasks.get(i), "/tasks/" + i, findings);
          code.replace(manifest, tasks.get(i), "/tasks/" + i, findings);
        }
        code.replace(manifest, code.body.path("onExit"), "/onExit", findings);
      }
    }
    return code;
  }

  /** Puts the files that a task names, an experiment's or a service's, into the document. */
  private void embed(Manifest manifest, JsonNode task, String pointer, List<String> findings) {
    Path folder = manifest.folder();
    if (!(task instanceof ObjectNode object) || folder == null) {
      return;
    }
    if (object.path(EXPERIMENT).isTextual()) {
      Path file = folder.resolve(object.path(EXPERIMENT).asText()).normalize();
      String text = read(manifest, file, pointer + "/" + EXPERIMENT, findings);
      if (text != null) {
        object
            .putObject(EXPERIMENT)
            .put("config", text)
            .put("base", Objects.requireNonNull(file.toAbsolutePath().getParent()).toString());
      }
    }
    if (object.path(SERVICE).isTextual()) {
      Path file = folder.resolve(object.path(SERVICE).asText()).normalize();
      String place = pointer + "/" + SERVICE;
      String text = read(manifest, file, place, findings);
      if (text != null && document(manifest, text, place, findings) instanceof ObjectNode service) {
        object.set(SERVICE, service);
        replace(manifest, file.getParent(), service, place, findings);
      }
    }
  }

  private static @Nullable String read(
      Manifest manifest, Path file, String pointer, List<String> findings) {
    try {
      String kind = FileKind.otherThanFile(file);
      if (kind == null) {
        return Files.readString(file);
      }
      findings.add(
          manifest.place(new Finding(pointer, "%s is %s, not a file".formatted(file, kind))));
      return null;
    } catch (IOException e) {
      findings.add(
          manifest.place(
              new Finding(pointer, "could not read %s: %s".formatted(file, FileFault.words(e)))));
      return null;
    }
  }

  private static @Nullable JsonNode document(
      Manifest manifest, String text, String pointer, List<String> findings) {
    try {
      return Document.read(text).root();
    } catch (ProblemException e) {
      findings.add(manifest.place(new Finding(pointer, e.problem().detail())));
      return null;
    }
  }

  /**
   * Puts the digest of the directory that a build names into its document, and the text of the
   * requirements when it names their file without a directory.
   */
  private void context(Manifest manifest, List<String> findings) {
    Path folder = manifest.folder();
    if (folder == null) {
      return;
    }
    String requirements = body.path(REQUIREMENTS).asText("");
    if (!body.has(CONTEXT) && REQUIREMENTS_FILE.matcher(requirements).matches()) {
      Path file = folder.resolve(requirements).normalize();
      String text = read(manifest, file, "/" + REQUIREMENTS, findings);
      if (text != null) {
        body.put(REQUIREMENTS, text);
      }
    }
    if (!body.path(CONTEXT).isTextual()) {
      return;
    }
    Path directory = folder.resolve(body.path(CONTEXT).asText()).normalize();
    CodeUpload.Looked looked = CodeUpload.look(directory);
    if (looked.findings().isEmpty()) {
      body.putObject(CONTEXT).put("upload", PREFIX + looked.digest());
      add(looked, directory);
    }
    looked
        .findings()
        .forEach(
            finding -> findings.add(manifest.place(new Finding("/" + CONTEXT, finding.message()))));
  }

  private void add(CodeUpload.Looked looked, Path directory) {
    directories.put(looked.digest(), directory);
    if (looked.notice() != null) {
      notices.add(looked.notice());
    }
  }

  private void replace(Manifest manifest, JsonNode holder, String pointer, List<String> findings) {
    replace(manifest, manifest.folder(), holder, pointer, findings);
  }

  private void replace(
      Manifest manifest,
      @Nullable Path folder,
      JsonNode holder,
      String pointer,
      List<String> findings) {
    String written = holder.path(CODE).asText("");
    if (!(holder instanceof ObjectNode object)
        || written.isEmpty()
        || written.startsWith(PREFIX)
        || folder == null) {
      return;
    }
    Path directory = folder.resolve(written).normalize();
    CodeUpload.Looked looked = CodeUpload.look(directory);
    if (looked.findings().isEmpty()) {
      object.put(CODE, PREFIX + looked.digest());
      add(looked, directory);
    }
    looked
        .findings()
        .forEach(finding ->
            findings.add(
                manifest.place(new Finding(pointer + finding.pointer(), finding.message()))));
  }
}
