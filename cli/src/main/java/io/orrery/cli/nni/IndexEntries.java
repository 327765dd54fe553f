package io.orrery.cli.nni;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.Api;
import io.orrery.cli.client.Resource;
import io.orrery.cli.experiment.ExperimentChoice;
import java.util.List;
import java.util.stream.StreamSupport;

/** The experiments as NNI's index has them: with NNI's statuses, and each with its port. */
final class IndexEntries {
  private final List<JsonNode> entries;

  private IndexEntries(List<JsonNode> entries) {
    this.entries = entries;
  }

  static IndexEntries of(Api api) {
    JsonNode all = api.get(Resource.nni("experiments-info"));
    return new IndexEntries(StreamSupport.stream(all.spliterator(), false).toList());
  }

  List<JsonNode> all() {
    return entries;
  }

  /**
   * Those that are not STOPPED, as NNI judges it: one that has ended is running to its clients for
   * as long as a process stands for it.
   */
  List<JsonNode> standing() {
    return entries.stream()
        .filter(entry -> !entry.path("status").asText().equals("STOPPED"))
        .filter(entry -> !ExperimentChoice.hasEnded(entry) || entry.hasNonNull("pid"))
        .toList();
  }

  /** Those of them that NNI's clients find at a port. */
  List<JsonNode> standingAt(int port) {
    return standing().stream().filter(entry -> entry.path("port").asInt() == port).toList();
  }
}
