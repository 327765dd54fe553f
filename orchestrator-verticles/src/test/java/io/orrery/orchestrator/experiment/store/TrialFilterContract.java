package io.orrery.orchestrator.experiment.store;

import static io.orrery.orchestrator.experiment.store.TableSamples.ID;
import static io.orrery.orchestrator.experiment.store.TableSamples.START;
import static io.orrery.orchestrator.experiment.store.TableSamples.trial;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.core.bus.contract.Annotations;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.id.TrialId;
import io.orrery.core.sql.Statement;
import io.orrery.core.trial.Parameters;
import io.orrery.core.trial.Trial;
import io.orrery.core.trial.TrialCondition;
import io.orrery.core.trial.TrialCondition.Comparison;
import io.orrery.core.trial.TrialField;
import io.orrery.core.trial.TrialField.MetricKey;
import io.orrery.core.trial.TrialField.Parameter;
import io.orrery.core.trial.TrialField.Standard;
import io.orrery.core.trial.TrialStatus;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Conditions narrow a list of trials in the same way on every engine. */
abstract class TrialFilterContract extends TablesFixture {
  @Test
  void aCursorGoesOnOnlyInTheListThatGaveIt() throws Exception {
    storeSix();
    String cursor =
        await(pages.page(new Trials.ListSome(ID, null, "-metric", null, null, 2))).next();
    TrialCondition more = condition(Standard.METRIC, Comparison.MORE, 0.0);

    for (Trials.ListSome other :
        List.of(
            new Trials.ListSome(ID, null, "metric", null, cursor, 2),
            new Trials.ListSome(ID, null, null, null, cursor, 2),
            new Trials.ListSome(ID, TrialStatus.FAILED, "-metric", null, cursor, 2),
            new Trials.ListSome(
                ID, null, "-metric", null, List.of(more), cursor, null, false, 2))) {
      assertThatThrownBy(() -> await(pages.page(other)))
          .hasMessageContaining("from a list in another order")
          .hasMessageContaining("leave it out");
    }
    assertThat(
            sequences(await(pages.page(new Trials.ListSome(ID, null, "-metric", null, cursor, 2)))))
        .isEqualTo("3 2");
  }

  @ParameterizedTest
  @MethodSource("conditions")
  void conditionsNarrowAList(List<TrialCondition> where, String expected) throws Exception {
    storeSix();
    write(trials.save(trial(6, new Parameters(Map.of("act", "relu", "deep", true)))));
    write(
        trials.save(
            trial(7, new Parameters(Map.of("act", "tanh", "x", "5", "b", Map.of("_name", "k"))))));

    Trials.Page page =
        await(pages.page(new Trials.ListSome(ID, null, null, null, where, null, null, true, 100)));

    assertThat(sequences(page)).isEqualTo(expected);
    assertThat(page.total()).isEqualTo(page.items().size());
  }

  /** G3. */
  @Test
  void tagsNarrowAndOrderAListAndNotesComeBackAsTheyWereStored() throws Exception {
    storeSix();
    AnnotationTable annotations = new AnnotationTable(store);
    Annotations.Of third = new Annotations.Of(ID, new TrialId("trial003"));
    Annotations.Of first = new Annotations.Of(ID, new TrialId("trial001"));
    Annotations.Of itself = new Annotations.Of(ID, null);
    write(annotate(third, "odd\nloss", List.of("b", "é", "a")));
    write(annotate(first, null, List.of("b")));
    write(annotate(itself, "all of it", null));
    write(annotate(third, null, List.of("a", "b")));

    assertThat(await(annotations.find(third)))
        .isEqualTo(new Annotations.Annotation("odd\nloss", List.of("a", "b"), START));
    assertThat(await(annotations.find(itself)))
        .isEqualTo(new Annotations.Annotation("all of it", List.of(), START));
    assertThat(await(annotations.ofTrials(ID, List.of(new TrialId("trial001"), new TrialId("x")))))
        .isEqualTo(new Annotations.Tags(Map.of("trial001", List.of("b"))));
    assertThat(await(annotations.ofExperiments(List.of(ID))).byId()).isEmpty();
    assertThat(tagged(Comparison.EQUAL, "a", "z")).isEqualTo("3");
    assertThat(tagged(Comparison.EQUAL, "b")).isEqualTo("1 3");
    assertThat(tagged(Comparison.UNEQUAL, "a")).isEqualTo("0 1 2 4 5");
    assertThat(tagged(Comparison.MORE, "a")).isEqualTo("1 3");
    Trials.Page ordered = await(pages.page(new Trials.ListSome(ID, null, "tag", null, null, 100)));
    assertThat(sequences(ordered)).isEqualTo("3 1 0 2 4 5");

    write(AnnotationTable.delete(ID));
    assertThat(await(annotations.find(third))).isEqualTo(Annotations.Annotation.NONE);
    assertThat(tagged(Comparison.EQUAL, "b")).isEmpty();
  }

  private static List<Statement> annotate(
      Annotations.Of of, @Nullable String note, @Nullable List<String> tags) {
    return AnnotationTable.change(new Annotations.Change(of, note, tags), START);
  }

  private String tagged(Comparison comparison, Object... tags) throws Exception {
    List<TrialCondition> where = List.of(condition(Standard.TAG, comparison, tags));
    return sequences(
        await(pages.page(new Trials.ListSome(ID, null, null, null, where, null, null, true, 100))));
  }

  static Stream<Arguments> conditions() {
    Parameter x = new Parameter("x");
    Parameter act = new Parameter("act");
    MetricKey loss = new MetricKey("loss");
    return Stream.of(
        one("0 1 4", Standard.METRIC, Comparison.MORE, 0.0),
        one("0 1 4", Standard.METRIC, Comparison.AT_LEAST, 0.5),
        one("3", Standard.METRIC, Comparison.LESS, 0.5),
        one("0 3 4", Standard.METRIC, Comparison.AT_MOST, 0.5),
        one("0 1 3 4", Standard.METRIC, Comparison.AT_MOST, Double.POSITIVE_INFINITY),
        one("0 4", Standard.METRIC, Comparison.EQUAL, 0.5),
        one("1 2 3", Standard.METRIC, Comparison.UNEQUAL, 0.5),
        one("2 3", Standard.SEQUENCE_ID, Comparison.EQUAL, 2.0, 3.0),
        one("2 3 4 5 6 7", Standard.SEQUENCE_ID, Comparison.AT_LEAST, 2.0),
        one("3 4 5 6 7", Standard.SEQUENCE_ID, Comparison.AT_LEAST, 2.5),
        one("0 1 2", Standard.SEQUENCE_ID, Comparison.LESS, 2.5),
        one("", Standard.SEQUENCE_ID, Comparison.EQUAL, 2.5),
        one("", Standard.SEQUENCE_ID, Comparison.MORE, 1e18),
        one("0 1", Standard.DURATION, Comparison.AT_LEAST, 98.5),
        one("4", Standard.ENDED_AT, Comparison.LESS, (double) START.plusSeconds(97).toEpochMilli()),
        one("5 6 7", Standard.STATUS, Comparison.EQUAL, "WAITING", "FAILED"),
        one("0 1 2 3 4", Standard.STATUS, Comparison.UNEQUAL, "WAITING"),
        one("2", Standard.ID, Comparison.EQUAL, "trial002"),
        one("0 1 2 3 4", Standard.EXIT_CODE, Comparison.EQUAL, 0.0),
        one("0 1 2 3 4 5 6 7", Standard.PARAMETER_SOURCE, Comparison.EQUAL, "algorithm"),
        one("3 4 5", x, Comparison.MORE, 2.0),
        one("0 1", x, Comparison.LESS, 2.0),
        one("5 7", x, Comparison.EQUAL, 5.0, "5"),
        one("0 1 2 3 4 7", x, Comparison.UNEQUAL, 5.0),
        one("7", x, Comparison.AT_LEAST, "4"),
        one("6", act, Comparison.EQUAL, "relu"),
        one("7", act, Comparison.UNEQUAL, "relu"),
        one("6", new Parameter("deep"), Comparison.EQUAL, 1.0),
        one("7", new Parameter("b"), Comparison.EQUAL, "k"),
        one("", new Parameter("no'\"such$.x"), Comparison.EQUAL, 1.0),
        one("0 1", loss, Comparison.MORE, 0.75),
        one("2", new MetricKey("note"), Comparison.EQUAL, "bare"),
        Arguments.of(
            List.of(
                condition(x, Comparison.AT_LEAST, 1.0),
                condition(x, Comparison.LESS, 4.0),
                condition(Standard.METRIC, Comparison.LESS, 1.0)),
            "3"));
  }

  private static Arguments one(
      String expected, TrialField field, Comparison comparison, Object... values) {
    return Arguments.of(List.of(condition(field, comparison, values)), expected);
  }

  private static TrialCondition condition(
      TrialField field, Comparison comparison, Object... values) {
    return new TrialCondition(field, comparison, List.of(values));
  }

  @Test
  void aStatusNarrowsAPage() throws Exception {
    storeSix();

    assertThat(
            await(pages.page(new Trials.ListSome(ID, TrialStatus.WAITING, null, null, null, 100)))
                .items())
        .extracting(Trial::sequenceId)
        .containsExactly(5L);
  }

  @ParameterizedTest
  @CsvSource({"parameters.x,2 1 0 4 3 5 6", "-parameters.x,0 1 2 3 4 5 6"})
  void aListByAParameterHasNumbersThenWordsThenNothing(String sort, String order) throws Exception {
    List<Parameters> values =
        List.of(
            new Parameters(Map.of("x", 10)),
            new Parameters(Map.of("x", 9.5)),
            new Parameters(Map.of("x", false, "y", 100)),
            new Parameters(Map.of("x", "b")),
            new Parameters(Map.of("x", Map.of("_name", "a", "x", 3))),
            new Parameters(Map.of("y", Map.of("x", 1))),
            new Parameters(Map.of("z \"'$.", 1)));
    for (int i = 0; i < values.size(); i++) {
      write(trials.save(trial(i, values.get(i))));
    }
    List<Long> expected = Stream.of(order.split(" ")).map(Long::valueOf).toList();

    Trials.Page first = await(pages.page(new Trials.ListSome(ID, null, sort, null, null, 4)));
    Trials.Page rest =
        await(pages.page(new Trials.ListSome(ID, null, sort, null, first.next(), 4)));

    assertThat(first.items()).map(Trial::sequenceId).isEqualTo(expected.subList(0, 4));
    assertThat(rest.items()).map(Trial::sequenceId).isEqualTo(expected.subList(4, 7));
    assertThat(rest.next()).isNull();
    assertThat(
            await(
                    pages.page(
                        new Trials.ListSome(
                            ID, TrialStatus.WAITING, "parameters.z \"'$.", "z", null, 2)))
                .items())
        .map(Trial::sequenceId)
        .containsExactly(6L);
  }
}
