package io.orrery.cli.apply;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.orrery.cli.apply.ManifestApplier.Checked;
import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Makes the server hold what documents say: {@code orrery apply -f}. */
@Command(
    name = "apply",
    description = {
      "Create what documents describe, or change it; the same again changes nothing.",
      "All documents are checked first, and nothing is changed when one is wrong."
    })
public final class ApplyCommand implements Callable<Integer> {
  private final Session session;

  @Option(
      names = {"-f", "--file"},
      required = true,
      arity = "1..*",
      paramLabel = "FILE",
      description = "A file, a directory, or - for stdin; several documents to a file.")
  private List<String> files = List.of();

  @Option(names = "--dry-run", description = "Only check, and say what would be done.")
  private boolean dryRun;

  @Option(
      names = "--project",
      paramLabel = "P",
      description = "The project of new objects that name none.")
  private @Nullable String project;

  @Option(
      names = "--prune",
      description = {
        "Also delete what is not in the documents any more: your objects of the kinds and projects",
        "that the documents have. --dry-run says which."
      })
  private boolean prune;

  public ApplyCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    ManifestReader reader = new ManifestReader(session.terminal(), System.in);
    List<Manifest> manifests = List.of();
    for (String file : files) {
      manifests = reader.read(file);
    }
    List<String> findings = new ArrayList<>(reader.findings());
    manifests = ServiceOrder.sort(manifests, findings);
    if (manifests.isEmpty() && findings.isEmpty()) {
      throw CommandFailure.refused("there is no document in " + String.join(", ", files));
    }
    ManifestApplier applier = new ManifestApplier(session.api(), project, session.terminal()::say);
    List<Checked> checked = applier.check(manifests, findings);
    List<Pruning.Left> left =
        prune ? new Pruning(session.api()).find(manifests, project) : List.of();
    for (Checked each : checked) {
      Manifest manifest = each.manifest();
      say(manifest.kind(), manifest.name(), dryRun ? each.outcome() : applier.apply(each));
    }
    for (Pruning.Left each : left) {
      if (!dryRun) {
        session.api().delete(Resource.of(each.kind().collection(), each.name()));
      }
      say(each.kind(), each.name(), "deleted");
    }
    return 0;
  }

  private void say(ObjectKind kind, String name, String outcome) {
    if (session.json()) {
      session.print(
          JsonNodeFactory.instance
              .objectNode()
              .put("kind", kind.word())
              .put("name", name)
              .put("outcome", outcome));
    } else {
      session.terminal().out().println("%s %s/%s".formatted(outcome, kind.word(), name));
    }
  }
}
