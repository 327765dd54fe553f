package io.orrery.gateway.project;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.UsageHistory;
import io.orrery.core.bus.contract.UsageHistory.AskHistory;
import io.orrery.core.bus.contract.UsageHistory.History;
import io.orrery.core.bus.contract.UsageHistory.Used;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.quota.Amounts;
import io.orrery.core.quota.QuotaResource;
import io.orrery.core.quota.UsageGroup;
import io.orrery.core.quota.UsageStep;
import io.orrery.core.text.Csv;
import io.orrery.core.time.Clock;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.Query;
import io.orrery.gateway.http.Reply;
import io.orrery.gateway.http.RouteNeed;
import io.orrery.gateway.http.Wire;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The API of what projects have used over time, {@code /api/v1/usage}: amounts times hours, of the
 * projects that the caller sees; {@code …/export} answers with the same as CSV.
 */
final class UsageHistoryApi implements Api {
  /** Spans of an answer that says nothing of its beginning. */
  private static final int USUAL_SPANS = 48;

  private static final String[] PARAMETERS = {
    "project", "user", "kind", "from", "to", "step", "by"
  };
  private static final BigDecimal SECONDS = BigDecimal.valueOf(3_600);
  private static final BigDecimal THOUSAND = BigDecimal.valueOf(1_000);
  private static final BigDecimal MEBIBYTES = BigDecimal.valueOf(1_024);
  private static final int DIGITS = 6;

  private final Bus bus;
  private final Clock clock;

  public UsageHistoryApi(Bus bus, Clock clock) {
    this.bus = bus;
    this.clock = clock;
  }

  @Override
  public void mount(ApiRouter router) {
    router.get(ApiRouter.V1 + "/usage", RouteNeed.STUDIO, this::show, PARAMETERS);
    router.stream(ApiRouter.V1 + "/usage/export", RouteNeed.STUDIO, this::export, PARAMETERS);
  }

  private AskHistory asked(RoutingContext context) {
    Query query = Query.of(context);
    UsageStep step =
        UsageStep.of(Objects.requireNonNullElse(query.oneOf("step", UsageStep.words()), "1d"));
    List<String> groups = Arrays.stream(UsageGroup.values()).map(UsageGroup::word).toList();
    UsageGroup by = UsageGroup.of(Objects.requireNonNullElse(query.oneOf("by", groups), "project"));
    if (by == UsageGroup.OBJECT && step != UsageStep.DAY) {
      throw new Problem.Refused(
              new Finding(
                  "", "the query parameter 'by' is 'object': objects are known by 'step=1d'"))
          .toException();
    }
    Instant now = clock.now();
    Instant to = Objects.requireNonNullElse(query.instant("to"), now);
    Instant from =
        Objects.requireNonNullElse(
            query.instant("from"), to.minus(step.length().multipliedBy(USUAL_SPANS)));
    if (!from.isBefore(to)) {
      throw new Problem.Refused(
              new Finding("", "the query parameter 'from' is not before 'to', which is " + to))
          .toException();
    }
    return new AskHistory(
        ProjectAccess.among(context, query.read("project", ProjectAccess::named)),
        query.text("user"),
        query.text("kind"),
        step.floor(from),
        to,
        step,
        by);
  }

  private Future<Reply> show(RoutingContext context) {
    AskHistory asked = asked(context);
    return bus.request(UsageHistory.HISTORY, asked).map(history -> Reply.ok(shape(asked, history)));
  }

  private static ObjectNode shape(AskHistory asked, History history) {
    ObjectNode shape =
        Json.MAPPER
            .createObjectNode()
            .put("from", Wire.time(asked.from()))
            .put("to", Wire.time(asked.to()))
            .put("step", asked.step().word())
            .put("by", asked.by().word());
    ArrayNode items = shape.putArray("items");
    history.items().forEach(used -> items.add(shape(used)));
    return shape;
  }

  private static ObjectNode shape(Used used) {
    ObjectNode item = Json.MAPPER.createObjectNode().put("at", Wire.time(used.at()));
    put(item, "project", used.project());
    put(item, "user", used.user());
    put(item, "kind", used.kind());
    put(item, "name", used.name());
    ObjectNode hours = item.putObject("hours");
    for (QuotaResource resource : used.seconds().of().keySet()) {
      hours.put(resource.word(), hours(resource, used.seconds()));
    }
    return item;
  }

  private static void put(ObjectNode item, String key, @Nullable String value) {
    if (value != null) {
      item.put(key, value);
    }
  }

  /** Core-hours, GPU-hours and so on; of memory and storage gibibyte-hours. */
  private static BigDecimal hours(QuotaResource resource, Amounts seconds) {
    BigDecimal scale =
        switch (resource) {
          case CPU -> THOUSAND;
          case MEMORY, STORAGE -> MEBIBYTES;
          case GPU, TRIALS, SERVICES, NOTEBOOKS, RUNS -> BigDecimal.ONE;
        };
    BigDecimal hours =
        BigDecimal.valueOf(seconds.get(resource))
            .divide(scale.multiply(SECONDS), DIGITS, RoundingMode.HALF_UP)
            .stripTrailingZeros();
    return hours.scale() < 0 ? hours.setScale(0) : hours;
  }

  private void export(RoutingContext context) {
    bus.request(UsageHistory.HISTORY, asked(context))
        .onSuccess(history ->
            context
                .response()
                .putHeader(HttpHeaders.CONTENT_TYPE, "text/csv; charset=utf-8")
                .end(csv(history)))
        .onFailure(context::fail);
  }

  private static String csv(History history) {
    StringBuilder lines = new StringBuilder();
    List<String> head = new ArrayList<>(List.of("at", "project", "user", "kind", "name"));
    for (QuotaResource resource : QuotaResource.values()) {
      head.add(resource.word() + unit(resource));
    }
    lines.append(Csv.line(head));
    for (Used used : history.items()) {
      List<String> cells = new ArrayList<>(List.of(Wire.time(used.at())));
      for (String text : Arrays.asList(used.project(), used.user(), used.kind(), used.name())) {
        cells.add(Csv.text(Objects.requireNonNullElse(text, "")));
      }
      for (QuotaResource resource : QuotaResource.values()) {
        cells.add(hours(resource, used.seconds()).toPlainString());
      }
      lines.append(Csv.line(cells));
    }
    return lines.toString();
  }

  private static String unit(QuotaResource resource) {
    return switch (resource) {
      case CPU -> "_core_hours";
      case MEMORY, STORAGE -> "_gib_hours";
      case GPU, TRIALS, SERVICES, NOTEBOOKS, RUNS -> "_hours";
    };
  }
}
