package io.orrery.cli.people;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import io.orrery.cli.print.Table;
import io.orrery.cli.print.Table.Column;
import io.orrery.core.quota.QuotaResource;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Prints what projects have used over time: {@code orrery usage}. */
@Command(
    name = "usage",
    description = "Print what projects have used over time, in core-hours, GPU-hours and so on.")
public final class UsageCommand implements Callable<Integer> {
  private static final List<String> KEYS = List.of("project", "user", "kind", "name");

  private final Session session;

  @Option(names = "--project", paramLabel = "P", description = "Only what this project used.")
  private @Nullable String project;

  @Option(names = "--user", paramLabel = "U", description = "Only what this user used.")
  private @Nullable String user;

  @Option(
      names = "--kind",
      paramLabel = "K",
      description = "Only what objects of this kind used, such as experiment.")
  private @Nullable String kind;

  @Option(
      names = "--from",
      paramLabel = "TIME",
      description = "Not before it, as 2026-01-31T12:00:00Z. Default: 48 steps ago.")
  private @Nullable String from;

  @Option(names = "--to", paramLabel = "TIME", description = "Before it. Default: now.")
  private @Nullable String to;

  @Option(
      names = "--step",
      paramLabel = "S",
      description = "What is added up: 5m, 1h or 1d. Default: 1d.")
  private @Nullable String step;

  @Option(
      names = "--by",
      paramLabel = "WHAT",
      description =
          "What is told apart: project, user, kind, or object with days. Default: project.")
  private @Nullable String by;

  @Option(names = "--export", paramLabel = "FILE", description = "Write it into a file as CSV.")
  private @Nullable Path export;

  @Option(
      names = "--gpus",
      description = "The GPUs of the servers at this moment, and which of them are not used.")
  private boolean gpus;

  public UsageCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    if (gpus) {
      JsonNode found = session.api().get(Resource.of("usage", "gpus"));
      if (session.json()) {
        session.print(found);
      } else {
        GpuSheet.print(found, session.terminal());
      }
      return 0;
    }
    if (export != null) {
      session.save(wanted(Resource.of("usage", "export")), export);
      return 0;
    }
    JsonNode usage = session.api().get(wanted(Resource.of("usage")));
    if (session.json()) {
      session.print(usage);
      return 0;
    }
    print(usage.path("items"));
    return 0;
  }

  private Resource wanted(Resource usage) {
    return usage
        .with("project", project)
        .with("user", user)
        .with("kind", kind)
        .with("from", from)
        .with("to", to)
        .with("step", step)
        .with("by", by);
  }

  private void print(JsonNode items) {
    List<String> keys = KEYS.stream().filter(key -> items.path(0).has(key)).toList();
    List<QuotaResource> used = new ArrayList<>();
    for (QuotaResource resource : QuotaResource.values()) {
      for (JsonNode item : items) {
        if (item.path("hours").has(resource.word())) {
          used.add(resource);
          break;
        }
      }
    }
    List<Column> columns = new ArrayList<>(List.of(Column.text("SINCE")));
    keys.forEach(key -> columns.add(Column.text(key.toUpperCase(Locale.ROOT))));
    used.forEach(resource -> columns.add(Column.number(title(resource))));
    Table table = new Table(columns.toArray(Column[]::new));
    for (JsonNode item : items) {
      List<String> cells = new ArrayList<>(List.of(item.path("at").asText()));
      keys.forEach(
          key -> cells.add(item.path(key).asText().isEmpty() ? "-" : item.path(key).asText()));
      used.forEach(resource -> {
        JsonNode hours = item.path("hours").path(resource.word());
        cells.add(hours.isMissingNode() ? "0" : "%.2f".formatted(hours.asDouble()));
      });
      table.row(cells.toArray(String[]::new));
    }
    table.print(session.terminal());
  }

  private static String title(QuotaResource resource) {
    return switch (resource) {
      case CPU -> "CORE-H";
      case MEMORY -> "MEM GIB-H";
      case STORAGE -> "DISK GIB-H";
      case GPU -> "GPU-H";
      case TRIALS -> "TRIAL-H";
      case SERVICES -> "SERVICE-H";
      case NOTEBOOKS -> "NOTEBOOK-H";
      case RUNS -> "RUN-H";
    };
  }
}
