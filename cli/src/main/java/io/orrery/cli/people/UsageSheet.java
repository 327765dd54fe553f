package io.orrery.cli.people;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.Session;
import io.orrery.cli.print.Table;
import io.orrery.cli.print.Table.Column;
import io.orrery.core.quota.QuotaResource;
import java.util.ArrayList;
import java.util.List;

/** Prints what a project uses as tables. */
final class UsageSheet {
  private static final long THOUSANDTHS = 1_000;

  private UsageSheet() {}

  static void print(Session session, JsonNode usage) {
    JsonNode limits = usage.path("limits");
    Table sums =
        new Table(
            Column.text("RESOURCE"),
            Column.number("USED"),
            Column.number("LIMIT"),
            Column.number("PER MEMBER"));
    for (QuotaResource resource : QuotaResource.values()) {
      String word = resource.word();
      JsonNode used = usage.path("used").path(word);
      JsonNode limit = limits.path(word);
      JsonNode member = limits.path("member").path(word);
      if (!(used.isMissingNode() && limit.isMissingNode() && member.isMissingNode())) {
        sums.row(
            word,
            used.isMissingNode() ? "0" : text(resource, used),
            limit.isMissingNode() ? "-" : text(resource, limit),
            member.isMissingNode() ? "-" : text(resource, member));
      }
    }
    sums.print(session.terminal());
    if (!usage.path("objects").isEmpty()) {
      session.terminal().out().println();
      Table objects =
          new Table(
              Column.text("OBJECT"),
              Column.text("USER"),
              Column.text("USES"),
              Column.text("SINCE"));
      for (JsonNode object : usage.path("objects")) {
        objects.row(
            object.path("kind").asText() + "/" + object.path("name").asText(),
            object.path("user").asText().isEmpty() ? "-" : object.path("user").asText(),
            words(object.path("used")),
            object.path("since").asText());
      }
      objects.print(session.terminal());
    }
  }

  private static String words(JsonNode amounts) {
    List<String> words = new ArrayList<>();
    for (QuotaResource resource : QuotaResource.values()) {
      JsonNode amount = amounts.path(resource.word());
      if (!amount.isMissingNode()) {
        words.add(resource.words(stored(resource, amount)));
      }
    }
    return words.isEmpty() ? "-" : String.join(", ", words);
  }

  private static String text(QuotaResource resource, JsonNode amount) {
    return resource.number(stored(resource, amount));
  }

  private static long stored(QuotaResource resource, JsonNode amount) {
    return resource == QuotaResource.CPU
        ? Math.round(amount.asDouble() * THOUSANDTHS)
        : amount.asLong();
  }
}
