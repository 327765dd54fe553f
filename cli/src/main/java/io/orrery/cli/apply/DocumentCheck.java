package io.orrery.cli.apply;

import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.Session;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks whether the documents of a file could run where they say, and applies none. */
public final class DocumentCheck {
  private final Session session;

  public DocumentCheck(Session session) {
    this.session = session;
  }

  /**
   * Checks documents as {@code orrery apply --dry-run} does: the server asks the cluster or runtime
   * that a service names.
   *
   * @param project of new objects that name none; null for public
   * @return the documents with a verdict, such as {@code Service/hello could run}
   * @throws CommandFailure refused, with all that is wrong in all documents
   */
  public List<String> check(String file, @Nullable String project) {
    ManifestReader reader = new ManifestReader(session.terminal(), InputStream.nullInputStream());
    List<Manifest> read = reader.read(file);
    List<String> findings = new ArrayList<>(reader.findings());
    List<Manifest> manifests = ServiceOrder.sort(read, findings);
    return new ManifestApplier(session.api(), project, session.terminal()::say)
        .check(manifests, findings).stream().map(checked -> verdict(checked.manifest())).toList();
  }

  /** The verdict on a document that is right. */
  private static String verdict(Manifest manifest) {
    return manifest.title()
        + switch (manifest.kind()) {
          case SERVICE, NOTEBOOK, PIPELINE, BUILD -> " could run";
          case EXPERIMENT -> " is right; check its file without kind and name for its platform";
          case PROJECT, REGISTRY, TEMPLATE, MODEL, DOMAIN, TOKEN -> " is right";
        };
  }
}
