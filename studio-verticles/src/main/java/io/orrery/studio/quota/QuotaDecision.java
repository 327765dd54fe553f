package io.orrery.studio.quota;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.contract.Quotas.Hold;
import io.orrery.core.quota.Amounts;
import io.orrery.core.quota.QuotaLimits;
import io.orrery.core.quota.QuotaResource;
import io.orrery.core.quota.QuotaScope;
import io.orrery.core.quota.QuotaWords;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A decision on how many units an object may hold: as many as fit into the limits of the member, of
 * the project and of all projects together, and never fewer than it has, unless it wants fewer.
 *
 * @param reason why they are fewer than wanted; null when they are not
 * @param scope whose limit is in the way, when one is
 */
record QuotaDecision(int units, @Nullable String reason, QuotaScope scope) {
  /** So many members are named in a reason. */
  private static final int NAMED = 5;

  /**
   * Decides.
   *
   * @param others what all other objects of the project hold, by user
   * @param server the limits of all projects together
   * @param everywhere what all other objects hold; of what has no limit there it may be less
   * @param before how many units the object holds
   */
  static QuotaDecision of(
      QuotaLimits limits,
      Map<String, Amounts> others,
      Map<QuotaResource, Long> server,
      Amounts everywhere,
      Hold hold,
      int before) {
    if (hold.wanted() <= before) {
      return new QuotaDecision(hold.wanted(), null, QuotaScope.MEMBER);
    }
    long fit = hold.wanted();
    QuotaResource scarce = null;
    QuotaScope scope = QuotaScope.MEMBER;
    for (Map.Entry<QuotaResource, Long> each : hold.unit().of().entrySet()) {
      QuotaResource resource = each.getKey();
      long ofProject = room(limits.project().get(resource), sum(others, resource), each.getValue());
      long ofMember =
          room(
              limits.member().get(resource),
              others.getOrDefault(hold.user(), Amounts.NONE).get(resource),
              each.getValue());
      long ofServer = room(server.get(resource), everywhere.get(resource), each.getValue());
      long least = Math.min(ofServer, Math.min(ofProject, ofMember));
      if (least < fit) {
        fit = least;
        scarce = resource;
        // Who can do something about it comes first: a member about the own limit.
        scope =
            ofMember == least && ofMember < ofProject
                ? QuotaScope.MEMBER
                : ofProject == least ? QuotaScope.PROJECT : QuotaScope.SERVER;
      }
    }
    int units = (int) Math.max(before, fit);
    if (scarce == null) {
      return new QuotaDecision(units, null, QuotaScope.MEMBER);
    }
    String reason =
        scope == QuotaScope.SERVER
            ? QuotaWords.ofServer(
                server,
                hold.unit(),
                scarce,
                hold.project(),
                everywhere.plus(hold.unit().times(units)),
                sum(others).plus(hold.unit().times(units)))
            : reason(limits, others, hold, units, scarce, scope == QuotaScope.PROJECT);
    return new QuotaDecision(units, reason, scope);
  }

  private static Amounts sum(Map<String, Amounts> others) {
    return others.values().stream().reduce(Amounts.NONE, Amounts::plus);
  }

  private static long room(@Nullable Long limit, long used, long unit) {
    return limit == null ? Long.MAX_VALUE : Math.max(0, limit - used) / unit;
  }

  private static long sum(Map<String, Amounts> others, QuotaResource resource) {
    return others.values().stream().mapToLong(each -> each.get(resource)).sum();
  }

  private static String reason(
      QuotaLimits limits,
      Map<String, Amounts> others,
      Hold hold,
      int units,
      QuotaResource scarce,
      boolean wholeProject) {
    long unit = hold.unit().get(scarce);
    long own = units * unit;
    long limit = (wholeProject ? limits.project() : limits.member()).getOrDefault(scarce, 0L);
    String whose =
        wholeProject
            ? "quota of " + hold.project()
            : "quota of %s in %s".formatted(hold.user(), hold.project());
    if (unit > limit) {
      return "%s: %s at most, and %s are needed at once"
          .formatted(whose, scarce.words(limit), scarce.number(unit));
    }
    long mine = others.getOrDefault(hold.user(), Amounts.NONE).get(scarce) + own;
    long used = wholeProject ? sum(others, scarce) + own : mine;
    StringBuilder text = new StringBuilder(whose);
    text.append(": ").append(scarce.number(used)).append(" of ").append(scarce.words(limit));
    text.append(" in use");
    if (wholeProject) {
      text.append(": ").append(members(others, hold.user(), mine, scarce));
    }
    if (unit > 1 && used < limit) {
      text.append("; ").append(scarce.number(unit)).append(" are needed");
    }
    return text.toString();
  }

  private static String members(
      Map<String, Amounts> others, String user, long mine, QuotaResource resource) {
    record Member(String name, long used) {}

    List<Member> all = new ArrayList<>();
    others.forEach((name, used) -> {
      if (!name.equals(user)) {
        all.add(new Member(name, used.get(resource)));
      }
    });
    all.add(new Member(user, mine));
    List<Member> some =
        all.stream()
            .filter(each -> each.used() > 0)
            .sorted(Comparator.comparingLong(Member::used).reversed().thenComparing(Member::name))
            .toList();
    List<String> words = new ArrayList<>();
    some.stream()
        .limit(NAMED)
        .forEach(each ->
            words.add(
                (each.name().isEmpty() ? "the server" : each.name())
                    + " "
                    + resource.number(each.used())));
    if (some.size() > NAMED) {
      long rest = some.stream().skip(NAMED).mapToLong(Member::used).sum();
      words.add("%d others %s".formatted(some.size() - NAMED, resource.number(rest)));
    }
    return String.join(", ", words);
  }

  /** A sentence for each limit that is too low for one unit, whatever else is used. */
  static List<String> neverFits(
      ProjectName project,
      QuotaLimits limits,
      Map<QuotaResource, Long> server,
      String what,
      Amounts unit) {
    List<String> findings = new ArrayList<>();
    unit.of()
        .forEach((resource, amount) -> {
          long ofProject = limits.project().getOrDefault(resource, Long.MAX_VALUE);
          long ofMember = limits.member().getOrDefault(resource, Long.MAX_VALUE);
          long limit = Math.min(ofProject, ofMember);
          if (amount > limit) {
            String whose = ofProject <= ofMember ? "" : " for each member";
            findings.add(
                "%s is charged %s, and the quota of %s is %s%s"
                    .formatted(
                        what, resource.words(amount), project, resource.number(limit), whose));
          }
        });
    return findings;
  }
}
