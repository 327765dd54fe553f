package io.orrery.tuner.search.tpe;

import io.orrery.core.problem.Finding;
import io.orrery.tuner.search.Arguments;
import io.orrery.tuner.search.Description;
import io.orrery.tuner.search.Setting;
import io.orrery.tuner.search.Tuner;
import io.orrery.tuner.search.TunerContract;
import io.orrery.tuner.search.TunerFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The contract again, for {@code compatibility: nni}. */
class NniTpeTest extends TunerContract {
  /** TPE as NNI has it, whatever the arguments. */
  static final TunerFactory NNI =
      new TunerFactory() {
        @Override
        public Description description() {
          return Tpe.FACTORY.description();
        }

        @Override
        public Tuner open(Setting setting) {
          List<Finding> findings = new ArrayList<>();
          Arguments arguments =
              Arguments.read(description().options(), Map.of("compatibility", "nni"), "", findings);
          return Tpe.FACTORY.open(
              new Setting(setting.space(), arguments, setting.direction(), setting.seed()));
        }
      };

  @Override
  protected TunerFactory factory() {
    return NNI;
  }
}
