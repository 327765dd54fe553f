package io.orrery.core.sql;

import io.orrery.core.check.CheckResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Compares the changes of a database's schema with those that this program knows. */
public final class SchemaCheck {
  /** The name of the check. */
  public static final String NAME = "schema";

  /** The query for what has been applied, whose rows {@link Applied#of} reads. */
  public static final Statement APPLIED =
      Statement.of("select module, number, name from migrations order by module, number");

  private static final int MOST_NAMED = 5;

  private SchemaCheck() {}

  /** A migration that has been applied to a database. */
  public record Applied(String module, int number, String name) {
    /** The one of a row of {@link SchemaCheck#APPLIED}. */
    public static Applied of(Row row) {
      return new Applied(row.text("module"), (int) row.integer("number"), row.text("name"));
    }

    @Override
    public String toString() {
      return name + " of " + module;
    }
  }

  /**
   * The outcome.
   *
   * @param known all migrations of this program
   * @param applied in the order of their numbers
   * @param newest release that has opened the database; null when it does not say
   */
  static CheckResult of(
      List<Migrations> known, List<Applied> applied, @Nullable StoreRelease newest) {
    Map<String, Migrations> modules = new TreeMap<>();
    known.forEach(each -> modules.put(each.module(), each));
    List<Applied> newer = new ArrayList<>();
    List<String> faults = new ArrayList<>();
    Map<String, Integer> last = new TreeMap<>();
    for (Applied each : applied) {
      Migrations module = modules.get(each.module());
      int expected = last.getOrDefault(each.module(), 0) + 1;
      last.put(each.module(), each.number());
      if (each.number() != expected) {
        faults.add("migration %d of %s is missing".formatted(expected, each.module()));
      }
      if (module == null || each.number() > module.files().size()) {
        newer.add(each);
      } else if (!module.files().get(each.number() - 1).equals(each.name())) {
        faults.add(
            "migration %d of %s is %s, and %s in this program"
                .formatted(
                    each.number(),
                    each.module(),
                    each.name(),
                    module.files().get(each.number() - 1)));
      }
    }
    if (!faults.isEmpty()) {
      return CheckResult.failed(
          NAME,
          "the list of changes has been changed by hand, or by another program: "
              + shortened(faults),
          "restore a backup, or repair the table migrations");
    }
    StoreRelease own = StoreRelease.CURRENT;
    if (newest != null && !own.worksAfter(newest)) {
      return CheckResult.failed(NAME, own.refusal(newest), own.remedy(newest));
    }
    return newer.isEmpty() ? upTo(modules, last, applied.size()) : newer(newer);
  }

  private static CheckResult newer(List<Applied> newer) {
    List<Applied> breaking =
        newer.stream().filter(each -> Migrations.isBreaking(each.name())).toList();
    return breaking.isEmpty()
        ? CheckResult.warning(
            NAME,
            "a newer Orrery has added to it, which this one leaves alone: " + shortened(newer),
            "finish the upgrade: versions are mixed only while it lasts")
        : CheckResult.failed(
            NAME,
            "a newer Orrery has changed it so that this one cannot use it: " + shortened(breaking),
            "use the newer version, or restore a backup of this one");
  }

  /** The outcome for a database that has nothing that this program does not know. */
  private static CheckResult upTo(
      Map<String, Migrations> modules, Map<String, Integer> last, int applied) {
    List<String> open = new ArrayList<>();
    modules.forEach((name, module) -> {
      int number = last.getOrDefault(name, module.files().size());
      List<String> later = module.files().subList(number, module.files().size());
      later.forEach(file -> open.add(file + " of " + name));
    });
    String found = "%d migrations of %d modules".formatted(applied, last.size());
    return CheckResult.ok(
        NAME,
        open.isEmpty()
            ? found + ", all that this program knows"
            : found + "; the next start adds " + shortened(open));
  }

  /** Whether a database says which releases have opened it. */
  static boolean tellsRelease(List<Applied> applied) {
    return applied.stream()
        .anyMatch(each -> each.module().equals(StoreRelease.MIGRATIONS.module()));
  }

  /** The first few of some items. */
  static String shortened(List<?> items) {
    List<String> words = items.stream().map(String::valueOf).toList();
    return words.size() <= MOST_NAMED
        ? String.join(", ", words)
        : String.join(", ", words.subList(0, MOST_NAMED))
            + " and %d more".formatted(words.size() - MOST_NAMED);
  }
}
