package io.orrery.tuner.search;

import java.util.ArrayList;
import java.util.Map;

/** Algorithms with {@code compatibility: nni}. */
public final class Compatible {
  private Compatible() {}

  /** The same algorithm, always opened so. */
  public static TunerFactory withNni(TunerFactory factory) {
    return new TunerFactory() {
      @Override
      public Description description() {
        return factory.description();
      }

      @Override
      public Tuner open(Setting setting) {
        Arguments nni =
            Arguments.read(
                factory.description().options(),
                Map.of("compatibility", "nni"),
                "",
                new ArrayList<>());
        return factory.open(new Setting(setting.space(), nni, setting.direction(), setting.seed()));
      }
    };
  }
}
