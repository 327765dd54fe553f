package io.orrery.cli.nni;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.Api;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.ServerAddress;
import io.orrery.cli.client.Session;
import io.orrery.cli.experiment.ExperimentChoice;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Implements {@code nnictl stop}: by id, by its beginning, {@code prefix*} for several, or all. */
@Command(name = "stop", description = "Stop an experiment; it can be resumed.")
final class Stop implements Callable<Integer> {
  private final Session session;
  private final Said said;

  @Mixin private NniChoice chosen = new NniChoice();

  @Option(
      names = {"--port", "-p"},
      paramLabel = "P",
      description = "The one that NNI's clients find at this port.")
  private @Nullable Integer port;

  @Option(
      names = {"--all", "-a"},
      description = "All that are not STOPPED.")
  private boolean all;

  Stop(Session session, Said said) {
    this.session = session;
    this.said = said;
  }

  @Override
  public Integer call() {
    Api api = api();
    for (String id : meant(api)) {
      if (!ExperimentChoice.hasEnded(api.get(Resource.of("experiments", id)))) {
        said.info("Stopping experiment " + id);
        api.post(Resource.of("experiments", id, "stop"));
      }
      leave(api, id);
      said.info("Stop experiment success.");
    }
    return 0;
  }

  /** An experiment that was stopped, or has ended, has no port, as with NNI. */
  static void leave(Api api, String id) {
    api.delete(Resource.of("experiments", id, "port"));
  }

  /** The server of this home; without one, whichever answers at the port. */
  private Api api() {
    Api here = session.api();
    return here.address().source() == ServerAddress.Source.DEFAULT
        ? NniServer.at(session, port)
        : here;
  }

  private List<String> meant(Api api) {
    String given = Objects.requireNonNullElse(chosen.given(), "");
    if (port != null && !all) {
      return List.of(at(port, given, IndexEntries.of(api).standingAt(port)));
    }
    boolean several = given.endsWith("*");
    if (!all && !given.equals("all") && !several) {
      return List.of(chosen.id(api));
    }
    String beginning = several ? given.substring(0, given.length() - 1) : "";
    return IndexEntries.of(api).standing().stream()
        .map(entry -> entry.path("id").asText())
        .filter(id -> id.startsWith(beginning))
        .toList();
  }

  /** An id that is given besides must be that of the experiment there. */
  private static String at(int port, String id, List<JsonNode> there) {
    List<JsonNode> fitting =
        there.stream().filter(entry -> entry.path("id").asText().startsWith(id)).toList();
    return NniChoice.only(fitting, " at port " + port);
  }
}
