package io.orrery.cli.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.Count;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Implements {@code orrery experiment list}. */
@Command(name = "list", description = "List the experiments, newest first.")
final class ListExperiments implements Callable<Integer> {
  private final Session session;

  @Option(
      names = "--limit",
      converter = Count.class,
      paramLabel = "N",
      description = "At most so many. Default: all.")
  private @Nullable Integer limit;

  @Option(names = "--project", paramLabel = "P", description = "Only those of this project.")
  private @Nullable String project;

  @Option(names = "--owner", paramLabel = "U", description = "Only those that this user created.")
  private @Nullable String owner;

  ListExperiments(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    List<JsonNode> experiments =
        session
            .api()
            .list(Resource.of("experiments").with("project", project).with("owner", owner), limit);
    if (session.json()) {
      session.print(experiments);
      return 0;
    }
    ExperimentListing.print(experiments, session.terminal());
    return 0;
  }
}
