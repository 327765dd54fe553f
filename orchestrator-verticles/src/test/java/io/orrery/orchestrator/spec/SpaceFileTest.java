package io.orrery.orchestrator.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.problem.Finding;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A test of search spaces in a file of their own, in JSON. */
class SpaceFileTest extends SpecFixture {
  private static final String SPACE_FILE =
      with(
          "searchSpace:\n  lr: {_type: uniform, _value: [0, 1]}\n",
          "searchSpaceFile: space.json\n");

  /** E7: which of the two was meant cannot be known. */
  @Test
  void aParameterThatIsThereTwiceIsRefused() {
    write(
        "space.json",
        "{\"lr\": {\"_type\": \"uniform\", \"_value\": [0, 1]},\n"
            + " \"lr\": {\"_type\": \"uniform\", \"_value\": [0, 2]}}");

    assertThat(fault(SPACE_FILE).message())
        .isEqualTo("in space.json, line 2, /lr: this key is here twice");
  }

  /** E8: JSON that is no YAML 1.1. */
  @Test
  void aSpaceMayHaveWhatYamlDoesNotKnow() {
    write("space.json", "{\"l\\/r\":\t{\"_type\": \"uniform\", \"_value\": [0, 1]}}");

    assertThat(spec(SPACE_FILE).search().space().dimensions()).containsOnlyKeys("l/r");
  }

  /** NNI's clients send both: the file, and the space that they read from it. */
  @Test
  void aSpaceAndTheFileThatItCameFromAreTakenTogether() {
    assertThat(spec(GOOD + "searchSpaceFile: space.json\n").search())
        .isEqualTo(spec(GOOD).search());

    SpecReading elsewhere = read(GOOD + "searchSpaceFile: /gone/space.json\n");
    assertThat(elsewhere.findings()).isEmpty();
    assertThat(elsewhere.notices())
        .contains("searchSpaceFile cannot be read here: searchSpace counts.");
  }

  /** A program that reads a file and writes it again may write its numbers in another way. */
  @ParameterizedTest
  @ValueSource(strings = {"[0.0, 1.0]", "[0, 1e0]", "[-0.0, 10E-1]"})
  void numbersAreTheSameHoweverTheyAreWritten(String bounds) {
    write("space.json", "{\"lr\": {\"_type\": \"uniform\", \"_value\": " + bounds + "}}");

    assertThat(read(GOOD + "searchSpaceFile: space.json\n").findings()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"[0, 1.0000001]", "[0, \"1\"]", "[0, true]", "[0, [1]]", "[0]"})
  void whatIsAlmostTheSameDiffers(String bounds) {
    write("space.json", "{\"lr\": {\"_type\": \"uniform\", \"_value\": " + bounds + "}}");

    assertThat(fault(GOOD + "searchSpaceFile: space.json\n").message())
        .contains("and searchSpace differ");
  }

  @Test
  void aFileThatIsHereAndBrokenIsRefusedThoughTheSpaceIsThereToo() {
    write("space.json", "{\"lr\": {\"_type\": \"uniform\",\n \"_value\": [0, 1]");

    Finding finding = fault(GOOD + "searchSpaceFile: space.json\n");

    assertThat(finding.pointer()).isEqualTo("/searchSpaceFile");
    assertThat(finding.message()).startsWith("in space.json, line 2");
  }

  @Test
  void aDirectoryIsNoSpaceFileThoughTheSpaceIsThereToo() {
    assertThat(fault(GOOD + "searchSpaceFile: .\n").message()).contains("is not a file");
  }

  @Test
  void aSpaceAndAFileThatDifferAreRefused() {
    write("space.json", "{\"lr\": {\"_type\": \"uniform\", \"_value\": [0, 2]}}");

    Finding finding = fault(GOOD + "searchSpaceFile: space.json\n");

    assertThat(finding.pointer()).isEqualTo("/searchSpaceFile");
    assertThat(finding.message()).contains("and searchSpace differ");
  }
}
