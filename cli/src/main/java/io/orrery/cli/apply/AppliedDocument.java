package io.orrery.cli.apply;

import io.orrery.cli.client.Api;
import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.print.Terminal;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Applies the documents of a file that has one object of a kind. */
public final class AppliedDocument {
  private AppliedDocument() {}

  /** Whether a word of a command line is a file, and not the name of an object. */
  public static boolean isFile(Terminal terminal, String what) {
    return what.contains("/")
        || what.matches(".*\\.(ya?ml|json)")
        || Files.isRegularFile(terminal.directory().resolve(what));
  }

  /**
   * Checks the documents of a file with one pipeline, and makes the server hold them unless it is
   * only a check.
   *
   * @param project of new objects that name none; null for public
   * @return the name of the pipeline
   * @throws CommandFailure refused, with all that is wrong
   */
  public static String pipeline(
      Api api, Terminal terminal, String file, @Nullable String project, boolean checkOnly) {
    ManifestApplier applier = new ManifestApplier(api, project, terminal::say);
    Found found = check(applier, terminal, file, ObjectKind.PIPELINE);
    if (!checkOnly) {
      found.all().forEach(applier::apply);
    }
    return found.name();
  }

  /**
   * Checks the documents of a file with one template.
   *
   * @return the name of the template
   * @throws CommandFailure refused, with all that is wrong
   */
  public static String checkTemplate(Api api, Terminal terminal, String file) {
    ManifestApplier applier = new ManifestApplier(api, null, terminal::say);
    return check(applier, terminal, file, ObjectKind.TEMPLATE).name();
  }

  /**
   * The documents of a file.
   *
   * @param name of the one that was asked for
   */
  private record Found(String name, List<ManifestApplier.Checked> all) {}

  private static Found check(
      ManifestApplier applier, Terminal terminal, String file, ObjectKind kind) {
    ManifestReader reader = new ManifestReader(terminal, System.in);
    List<Manifest> manifests = reader.read(file);
    List<String> findings = new ArrayList<>(reader.findings());
    List<Manifest> ofKind = manifests.stream().filter(each -> each.kind() == kind).toList();
    if (ofKind.size() != 1 && findings.isEmpty()) {
      throw CommandFailure.refused(
          "%s has %d %s; one is needed".formatted(file, ofKind.size(), kind.collection()));
    }
    List<ManifestApplier.Checked> all = applier.check(manifests, findings);
    return new Found(ofKind.getFirst().name(), all);
  }
}
