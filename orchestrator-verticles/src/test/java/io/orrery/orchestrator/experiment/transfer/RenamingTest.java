package io.orrery.orchestrator.experiment.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.space.Dimension;
import io.orrery.core.space.Dimension.LogUniform;
import io.orrery.core.space.Dimension.RandInt;
import io.orrery.core.space.Dimension.Uniform;
import io.orrery.core.space.SearchSpace;
import io.orrery.core.trial.Parameters;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Tests which parameters of an earlier experiment are taken for one of another name. */
class RenamingTest {
  private static final Dimension UNIT = new Uniform(0, 1);
  private static final Dimension RATE = new LogUniform(1e-5, 1);
  private static final Dimension DEPTH = new RandInt(1, 9);

  private static final List<String> NAMES =
      List.of("lr", "learning_rate", "dropout", "drop_out", "depth", "max_depth", "momentum", "x");

  private static SearchSpace space(Object... namesAndDimensions) {
    Map<String, Dimension> dimensions = new LinkedHashMap<>();
    for (int i = 0; i < namesAndDimensions.length; i += 2) {
      dimensions.put((String) namesAndDimensions[i], (Dimension) namesAndDimensions[i + 1]);
    }
    return new SearchSpace(dimensions);
  }

  @Test
  void oneOfTheSameTypeAndRangeIsTheSameIfItsNameIsAlike() {
    SearchSpace here = space("lr", RATE, "depth", DEPTH);
    SearchSpace there = space("learning_rate", RATE, "depth", DEPTH);

    assertThat(Renaming.alike(here, there)).containsExactly(Map.entry("learning_rate", "lr"));
    assertThat(Renaming.alike(here, space("learning_rate", new LogUniform(1e-4, 1)))).isEmpty();
    assertThat(Renaming.alike(here, space("momentum", RATE))).isEmpty();
    assertThat(Renaming.possible(here, space("momentum", RATE)))
        .containsExactly(Map.entry("momentum", "lr"));
  }

  @Test
  void whereThereAreTwoPossibilitiesNeitherIsTaken() {
    SearchSpace here = space("a", UNIT, "b", UNIT, "lr", RATE);

    assertThat(Renaming.possible(here, space("c", UNIT, "momentum", RATE)))
        .containsExactly(Map.entry("momentum", "lr"));
    assertThat(Renaming.possible(space("a", UNIT), space("c", UNIT, "d", UNIT))).isEmpty();
    assertThat(Renaming.possible(here, space("a", UNIT, "d", UNIT)))
        .as("one of both is known by its name")
        .containsExactly(Map.entry("d", "b"));
  }

  @Test
  void namesTellSeveralOfOneRangeApart() {
    SearchSpace here = space("dropout", UNIT, "mom", UNIT);
    SearchSpace there = space("momentum", UNIT, "drop_out", UNIT);

    assertThat(Renaming.alike(here, there))
        .containsOnly(Map.entry("momentum", "mom"), Map.entry("drop_out", "dropout"));
  }

  @Test
  void whateverTheSpacesNoTwoBecomeOneAndNothingKnownByItsNameIsRenamed() {
    Random random = new Random(4);
    int renamed = 0;
    for (int i = 0; i < 2_000; i++) {
      SearchSpace here = drawn(random);
      SearchSpace there = drawn(random);
      Map<String, String> alike = Renaming.alike(here, there);
      Map<String, String> possible = Renaming.possible(here, there);
      renamed += possible.size();

      assertThat(possible).containsAllEntriesOf(alike);
      assertThat(possible.values()).doesNotHaveDuplicates();
      possible.forEach((old, now) -> {
        assertThat(here.dimensions()).doesNotContainKey(old).containsKey(now);
        assertThat(there.dimensions()).doesNotContainKey(now).containsKey(old);
        assertThat(here.dimensions().get(now)).isEqualTo(there.dimensions().get(old));
      });
      assertThat(Renaming.wrong(here, there, possible)).isNull();
      Map<String, Object> values = new LinkedHashMap<>();
      there.dimensions().keySet().forEach(name -> values.put(name, name.length()));
      assertThat(Renaming.applied(possible, new Parameters(values)).values()).hasSameSizeAs(values);
      Map<String, String> back = new LinkedHashMap<>();
      possible.forEach((old, now) -> back.put(now, old));
      assertThat(Renaming.possible(there, here)).as("both ways").isEqualTo(back);
    }
    assertThat(renamed).isGreaterThan(500);
  }

  @Test
  void ofTooManyUnknownNamesNoneIsSought() {
    Map<String, Dimension> here = new LinkedHashMap<>();
    Map<String, Dimension> there = new LinkedHashMap<>();
    for (int i = 0; i < Renaming.MOST; i++) {
      here.put("units" + i, DEPTH);
      there.put("units_" + i, DEPTH);
      here.put("known" + i, UNIT);
      there.put("known" + i, UNIT);
    }
    assertThat(Renaming.alike(new SearchSpace(here), new SearchSpace(there)))
        .hasSize(Renaming.MOST)
        .containsEntry("units_7", "units7");

    there.put("lr", RATE);
    assertThat(Renaming.alike(new SearchSpace(here), new SearchSpace(there))).isEmpty();
    assertThat(Renaming.possible(new SearchSpace(there), new SearchSpace(here))).isEmpty();
  }

  private static SearchSpace drawn(Random random) {
    Map<String, Dimension> dimensions = new LinkedHashMap<>();
    for (String name : NAMES) {
      if (random.nextBoolean()) {
        dimensions.put(name, List.of(UNIT, RATE, DEPTH).get(random.nextInt(3)));
      }
    }
    return new SearchSpace(dimensions);
  }

  @Test
  void aMapOfNamesMustFitBothSpaces() {
    SearchSpace here = space("a", UNIT, "b", UNIT);
    SearchSpace there = space("a", UNIT, "c", UNIT);

    assertThat(Renaming.wrong(here, there, Map.of("c", "b"))).isNull();
    assertThat(Renaming.wrong(here, there, Map.of("d", "b"))).contains("'d'", "earlier");
    assertThat(Renaming.wrong(here, there, Map.of("c", "d"))).contains("'d'", "this experiment");
    assertThat(Renaming.wrong(here, there, Map.of("c", "a"))).contains("rename that as well");
    assertThat(Renaming.wrong(here, there, Map.of("c", "a", "a", "b"))).isNull();
    assertThat(Renaming.applied(Map.of("c", "a", "a", "b"), new Parameters(Map.of("a", 1, "c", 2))))
        .isEqualTo(new Parameters(Map.of("b", 1, "a", 2)));
  }
}
