package io.orrery.tuner.search.bohb;

import io.orrery.core.problem.Finding;
import io.orrery.core.space.SearchSpace;
import io.orrery.tuner.encode.Axes;
import io.orrery.tuner.encode.Axis;
import io.orrery.tuner.math.Rng;
import io.orrery.tuner.search.Arguments;
import io.orrery.tuner.search.Description;
import io.orrery.tuner.search.Option;
import io.orrery.tuner.search.Options;
import io.orrery.tuner.search.Setting;
import io.orrery.tuner.search.Shape;
import io.orrery.tuner.search.Tuner;
import io.orrery.tuner.search.TunerFactory;
import io.orrery.tuner.search.hyperband.BracketTuner;
import io.orrery.tuner.search.hyperband.Ladder;
import io.orrery.tuner.search.hyperband.Proposals;
import java.util.*;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

public final class Bohb implements Proposals {
  static final int TOP = Integer.getInteger("b.top", 15);
  static final double RND = Double.parseDouble(System.getProperty("b.rnd", "0.333"));
  static final int SAMPLES = Integer.getInteger("b.samples", 64);
  static final double FACTOR = Double.parseDouble(System.getProperty("b.factor", "3"));
  static final String VARIANT = System.getProperty("b.variant", "published");
  static final double NARROW = Double.parseDouble(System.getProperty("b.narrow", "0.001"));

  private static final Option<Long> MIN = Option.of("min_budget", new Shape.Whole(1, 1_000_000_000), 1L, "");
  private static final Option<Long> MAX = Option.of("max_budget", new Shape.Whole(1, 1_000_000_000), 3L, "");
  private static final Option<Long> ETA = Option.of("eta", new Shape.Whole(2, 1_000), 3L, "");

  public static final TunerFactory FACTORY =
      new TunerFactory() {
        @Override
        public Description description() {
          return new Description("BOHB", List.of(), "Hyperband with a model.", Set.copyOf(Description.ALL_TYPES),
              List.of(Options.OPTIMIZE_MODE, Options.SEED, MIN, MAX, ETA), 0);
        }
        @Override
        public List<Finding> check(SearchSpace space) { return BracketTuner.check(space); }
        @Override
        public Tuner open(Setting setting) {
          Arguments a = setting.arguments();
          Ladder ladder = Ladder.between(a.get(MIN), a.get(MAX), a.get(ETA).intValue());
          return new BracketTuner(setting, ladder, false, new Bohb(Axes.of(setting.space())));
        }
      };

  record Obs(double[] point, double loss) {}
  final Axes axes;
  final int[] categories;
  final TreeMap<Long, LinkedHashMap<String, Obs>> byBudget = new TreeMap<>(Comparator.reverseOrder());
  Bohb(Axes axes) { this.axes = axes; this.categories = axes.all().stream().mapToInt(x -> x.dimension() instanceof io.orrery.core.space.Dimension.Choice ? (int) x.categories() : 0).toArray(); }

  double[] cube(double[] point, Rng rng) {
    double[] c = new double[point.length];
    for (Axis axis : axes.all()) { int i = axis.index();
      double v = point[i];
      if (Double.isNaN(v)) { c[i] = categories[i] > 0 ? rng.nextInt(categories[i]) : rng.nextDouble(); continue; }
      c[i] = categories[i] > 0 ? v : Unit.of(axis, v); }
    return c;
  }

  @Override
  public double[] propose(Rng rng, Predicate<double[]> free) {
    Rng main = rng.split(1);
    if (main.nextDouble() >= RND) {
      double[] p = switch (VARIANT) { case "published" -> published(main); case "pool" -> pool(main); default -> multi(main); };
      if (p != null) return p;
    }
    return axes.sample(rng, free);
  }

  double[] @Nullable [] split(Collection<Obs> all, boolean good, Rng rng, int minPoints) { return null; }

  record Pair(Density good, Density bad) { double score(double[] x) { return Math.log(Math.max(good.at(x), 1e-32)) - Math.log(Math.max(bad.at(x), 1e-32)); } }

  @Nullable Pair model(List<Obs> obs, Rng rng) {
    int min = categories.length + 1;
    if (obs.size() < min + 2) return null;
    List<Obs> s = new ArrayList<>(obs); s.sort(Comparator.comparingDouble(Obs::loss));
    int n = s.size();
    int ng = Math.max(min, TOP * n / 100), nb = Math.max(min, (100 - TOP) * n / 100);
    ng = Math.min(ng, n - 1);
    double[][] g = s.subList(0, ng).stream().map(o -> cube(o.point(), rng)).toArray(double[][]::new);
    double[][] b = s.subList(ng, Math.min(n, ng + nb)).stream().map(o -> cube(o.point(), rng)).toArray(double[][]::new);
    return new Pair(new Density(g, categories, NARROW), new Density(b, categories, NARROW));
  }

  double @Nullable [] published(Rng rng) {
    for (var e : byBudget.values()) {
      Pair m = model(new ArrayList<>(e.values()), rng.split(7));
      if (m == null) continue;
      double[] best = null; double hi = Double.NEGATIVE_INFINITY;
      for (int i = 0; i < SAMPLES; i++) { double[] x = m.good().draw(rng, FACTOR); double sc = m.score(x); if (sc > hi) { hi = sc; best = x; } }
      return back(best);
    }
    return null;
  }

  static final double GAMMA = Double.parseDouble(System.getProperty("b.gamma", "0"));
  double @Nullable [] pool(Rng rng) {
    Map<String, double[]> est = new LinkedHashMap<>(); Map<String, Double> loss = new LinkedHashMap<>();
    List<Long> budgets = new ArrayList<>(byBudget.keySet()); // descending
    Map<String, Double> above = new LinkedHashMap<>(); // config -> estimated full loss, for those seen at higher budget
    for (long b : budgets) {
      Map<String, Double> raw = new LinkedHashMap<>(); Map<String, double[]> pts = new LinkedHashMap<>();
      byBudget.get(b).values().forEach(o -> { raw.put(Arrays.toString(o.point()), o.loss()); pts.put(Arrays.toString(o.point()), o.point()); });
      List<double[]> pairs = new ArrayList<>();
      raw.forEach((k, v) -> { Double a = above.get(k); if (a != null && Double.isFinite(v)) pairs.add(new double[] {v, a}); });
      double al = 0, be = 1;
      if (pairs.size() >= 2) {
        double mx = pairs.stream().mapToDouble(q -> q[0]).average().orElse(0), my = pairs.stream().mapToDouble(q -> q[1]).average().orElse(0);
        double sxx = 0, sxy = 0; for (double[] q : pairs) { sxx += (q[0] - mx) * (q[0] - mx); sxy += (q[0] - mx) * (q[1] - my); }
        double sd = Math.sqrt(raw.values().stream().filter(Double::isFinite).mapToDouble(v -> (v - mx) * (v - mx)).average().orElse(0));
        double lam = SHR * sd * sd; // shrink to slope 1
        be = (sxy + lam) / (sxx + lam); if (!(be > 0.05)) be = 0.05; al = my - be * mx;
      } else if (!pairs.isEmpty()) al = pairs.get(0)[1] - pairs.get(0)[0];
      double A = al, B = be;
      raw.forEach((k, v) -> { if (!above.containsKey(k)) { above.put(k, A + B * v); est.put(k, pts.get(k)); } });
    }
    List<Obs> all = new ArrayList<>(); above.forEach((k, v) -> all.add(new Obs(est.get(k), v)));
    Pair m = model(all, rng.split(7));
    if (m == null) return null;
    double[] best = null; double hi = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < SAMPLES; i++) { double[] x = m.good().draw(rng, FACTOR); double sc = m.score(x); if (sc > hi) { hi = sc; best = x; } }
    return back(best);
  }
  static final double SHR = Double.parseDouble(System.getProperty("b.shr", "0.5"));

  double[] back(double[] x) { return axes.point(axis -> categories[axis.index()] > 0 ? x[axis.index()] : Unit.back(axis, x[axis.index()])); }

  double @Nullable [] multi(Rng rng) {
    List<Pair> models = new ArrayList<>(); List<Double> w = new ArrayList<>();
    List<Obs> top = null;
    for (var e : byBudget.entrySet()) {
      List<Obs> obs = new ArrayList<>(e.getValue().values());
      if (obs.size() < 3) continue;
      if (top == null) top = obs;
      Pair m = model(obs, rng.split(e.getKey()));
      if (m == null) continue;
      models.add(m);
      double weight;
      if (obs == top) weight = 0.5; else {
        int ok = 0, all = 0;
        for (Obs a : top) for (Obs b : top) if (a.loss() < b.loss()) { all++; if (m.score(cube(a.point(), rng)) > m.score(cube(b.point(), rng))) ok++; }
        weight = all == 0 ? 0.5 : ok / (double) all; }
      w.add(Math.pow(Math.max(0.05, weight), 3));
    }
    if (models.isEmpty()) return null;
    double tot = w.stream().mapToDouble(x -> x).sum();
    double[] best = null; double hi = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < SAMPLES; i++) {
      double u = rng.nextDouble() * tot; int k = 0; while (k < w.size() - 1 && u >= w.get(k)) u -= w.get(k++);
      double[] x = models.get(k).good().draw(rng, FACTOR);
      double sc = 0; for (int j = 0; j < models.size(); j++) sc += w.get(j) / tot * models.get(j).score(x);
      if (sc > hi) { hi = sc; best = x; }
    }
    return back(best);
  }

  @Override
  public void learn(String id, double[] point, long budget, double loss) {
    byBudget.computeIfAbsent(budget, b -> new LinkedHashMap<>()).put(id, new Obs(point, Double.isNaN(loss) ? Double.POSITIVE_INFINITY : loss));
  }
}
