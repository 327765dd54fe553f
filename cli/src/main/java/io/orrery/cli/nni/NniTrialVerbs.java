package io.orrery.cli.nni;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.Count;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import io.orrery.core.metric.Direction;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Implements {@code nnictl trial}. */
@Command(
    name = "trial",
    description = "Look at trials, end them.",
    synopsisSubcommandLabel = "VERB",
    commandListHeading = "Verbs:%n")
final class NniTrialVerbs {
  private final Session session;
  private final Said said;

  NniTrialVerbs(Session session, Said said) {
    this.session = session;
    this.said = said;
  }

  @Command(name = "ls", description = "The trials as JSON.")
  int ls(
      @Mixin NniChoice chosen,
      @Option(
              names = "--head",
              converter = Count.class,
              paramLabel = "N",
              description = "Only the N with the highest default metric.")
          @Nullable Integer head,
      @Option(
              names = "--tail",
              converter = Count.class,
              paramLabel = "N",
              description = "Only the N with the lowest default metric.")
          @Nullable Integer tail) {
    if (head != null && tail != null) {
      throw CommandFailure.refused("--head and --tail exclude each other");
    }
    String id = chosen.id(session.api());
    JsonNode trials = session.api().get(Resource.nni(id, "trial-jobs"));
    if (head != null) {
      trials = ranked(trials, head, Direction.MAXIMIZE);
    } else if (tail != null) {
      trials = ranked(trials, tail, Direction.MINIMIZE);
    }
    said.dated(trials);
    return 0;
  }

  @Command(name = "kill", description = "End a trial that waits or runs.")
  int kill(
      @Mixin NniChoice chosen,
      @Option(
              names = {"--trial_id", "-T"},
              required = true,
              paramLabel = "TRIAL",
              description = "The trial's id.")
          String trial) {
    String id = chosen.id(session.api());
    session.api().post(Resource.of("experiments", id, "trials", trial, "cancel"));
    said.info("Kill trial " + trial + " success");
    return 0;
  }

  private static JsonNode ranked(JsonNode trials, int limit, Direction direction) {
    List<JsonNode> best =
        StreamSupport.stream(trials.spliterator(), false)
            .filter(trial -> value(trial).isPresent())
            .sorted(Comparator.comparing(NniTrialVerbs::metric, direction.bestFirst()))
            .limit(limit)
            .toList();
    ArrayNode array = JsonNodeFactory.instance.arrayNode();
    best.forEach(array::add);
    return array;
  }

  private static double metric(JsonNode trial) {
    return value(trial).orElseThrow();
  }

  /** The default metric of a trial in NNI's shape. */
  private static OptionalDouble value(JsonNode trial) {
    JsonNode data = trial.path("finalMetricData").path(0).path("data");
    if (!data.isTextual()) {
      return OptionalDouble.empty();
    }
    JsonNode metric = FinalMetric.of(data.textValue());
    JsonNode number = metric.isObject() ? metric.path("default") : metric;
    return number.isNumber() ? OptionalDouble.of(number.doubleValue()) : OptionalDouble.empty();
  }
}
