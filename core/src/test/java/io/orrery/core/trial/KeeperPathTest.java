package io.orrery.core.trial;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeeperPathTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "/keeper/beat",
        "/keeper/finish",
        "/keeper/logs/stdout",
        "/keeper/code/0af9",
        "/keeper/outputs/a/b..c%20d"
      })
  void aKeeperSpeaksThere(String path) {
    assertThat(KeeperPath.matches(path)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/keeper",
        "/keeper/",
        "/keeper/outputs/",
        "/keeper/beat/api/v1/nni/experiments-info",
        "/keeper/api/v1/nni/experiments-info",
        "/keeper/outputs/../../api/v1/experiments",
        "/keeper/outputs/%2e%2E/x",
        "/x/keeper/beat"
      })
  void noOtherPathPassesForOneOfThose(String path) {
    assertThat(KeeperPath.matches(path)).isFalse();
  }
}
