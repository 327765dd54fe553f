package io.orrery.cli.nni;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.Api;
import io.orrery.cli.client.CommandFailure;
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
    String given = chosen.given();
    if (!all && port == null && "all".equals(given)) {
      throw CommandFailure.refused("to stop all experiments say `nnictl stop --all`");
    }
    IndexEntries entries = IndexEntries.of(api);
    if (all) {
      return ids(entries.standing(), "");
    }
    if (port != null) {
      return List.of(at(port, Objects.requireNonNullElse(given, ""), entries.standingAt(port)));
    }
    if (given == null) {
      return List.of(NniChoice.only(entries.standing(), ""));
    }
    return given.endsWith("*")
        ? beginningWith(given.substring(0, given.length() - 1), entries)
        : List.of(one(given, api, entries));
  }

  private static List<String> beginningWith(String beginning, IndexEntries entries) {
    List<String> fitting = ids(entries.standing(), beginning);
    if (fitting.isEmpty()) {
      throw CommandFailure.failed(
          "there is no experiment running whose id begins with '" + beginning + "'");
    }
    return fitting;
  }

  /** One that runs goes before those that have been stopped and begin with the same characters. */
  private String one(String given, Api api, IndexEntries entries) {
    List<String> fitting = ids(entries.standing(), given);
    return fitting.size() == 1 && !given.isBlank() ? fitting.getFirst() : chosen.id(api);
  }

  private static List<String> ids(List<JsonNode> entries, String beginning) {
    return entries.stream()
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
