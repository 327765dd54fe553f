package io.orrery.cli.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.DryRunOption;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Implements {@code orrery experiment import}. */
@Command(
    name = "import",
    description =
        "Bring in results of elsewhere: an export as JSON or CSV, NNI's list of parameter and value,"
            + " or a table with a column for each parameter.")
final class ImportResults implements Callable<Integer> {
  private final Session session;

  @Parameters(
      index = "0",
      paramLabel = "ID",
      description = "The experiment's id or the beginning of it.")
  private String experiment = "";

  @Parameters(index = "1", paramLabel = "FILE", description = "The results, JSON or CSV.")
  private String file = "";

  @Mixin private DryRunOption dryRun = new DryRunOption();

  ImportResults(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    String results = ConfigFile.read(file, session.terminal()).text();
    String id = ExperimentChoice.idOf(session.api(), experiment);
    Resource imports = dryRun.at(Resource.of("experiments", id, "import"));
    boolean table = file.toLowerCase(Locale.ROOT).endsWith(".csv");
    JsonNode answer = session.api().post(imports, results, table ? "text/csv" : "application/json");
    answer.path("notices").forEach(notice -> session.terminal().say(notice.asText()));
    if (session.json()) {
      session.print(answer);
    } else {
      session.terminal().say(dryRun.said(said(answer, id)));
    }
    return 0;
  }

  private String said(JsonNode answer, String id) {
    int duplicates = answer.path("duplicates").asInt();
    return "experiment %s %s %d more results%s"
        .formatted(
            id,
            dryRun.isAsked() ? "would have" : "has",
            answer.path("imported").asInt(),
            duplicates == 0 ? "" : "; " + duplicates + " were there already");
  }
}
