package io.orrery.cli.nni;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.Api;
import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.experiment.ExperimentChoice;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Parameters;

/**
 * The experiment that a verb of NNI's works on. Without an id NNI's rule holds: all experiments
 * that are not STOPPED are candidates, also those that are DONE; one of them is taken, several are
 * refused with their list. An older one that NNI's user has stopped is never acted on by mistake.
 */
final class NniChoice {
  private static final String HINT = "; `nnictl experiment list --all` shows all";

  @Parameters(
      arity = "0..1",
      paramLabel = "ID",
      description =
          "The experiment's id or the beginning of it. Default: the only one that is not STOPPED.")
  private @Nullable String given;

  /** As it was typed. */
  @Nullable String given() {
    return given;
  }

  /**
   * The id of the experiment that is meant.
   *
   * @throws CommandFailure failed, naming the candidates, when it is none or not clear
   */
  String id(Api api) {
    return given == null
        ? only(IndexEntries.of(api).standing(), "")
        : ExperimentChoice.idOf(api, given);
  }

  /**
   * The id of the only candidate.
   *
   * @param where words that follow in a message, such as {@code " at port 8080"}; may be empty
   * @throws CommandFailure failed, when there is none or several
   */
  static String only(List<JsonNode> candidates, String where) {
    if (candidates.isEmpty()) {
      throw CommandFailure.failed("there is no experiment running" + where + HINT);
    }
    if (candidates.size() > 1) {
      throw CommandFailure.failed(
          "several experiments are running" + where + "; say which one: " + words(candidates));
    }
    return candidates.getFirst().path("id").asText();
  }

  private static String words(List<JsonNode> entries) {
    return entries.stream()
        .map(entry ->
            "%s (%s%s)"
                .formatted(
                    entry.path("id").asText(),
                    name(entry.path("experimentName").asText("")),
                    entry.path("status").asText()))
        .collect(Collectors.joining(", "));
  }

  private static String name(String name) {
    return name.isEmpty() ? "" : name.replaceAll("\\p{Cntrl}", "?") + ", ";
  }
}
