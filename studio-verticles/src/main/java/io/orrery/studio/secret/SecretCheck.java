package io.orrery.studio.secret;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Secrets;
import io.orrery.core.bus.contract.Workloads.Want;
import io.orrery.core.project.SecretReference;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/** Refuses workloads that refer to secrets which their project does not have. */
public final class SecretCheck {
  private SecretCheck() {}

  /** Fails with Refused when one is missing. */
  public static Future<Want> of(Bus bus, Want want) {
    List<String> names =
        want.spec().environment().values().stream()
            .map(SecretReference::name)
            .flatMap(Optional::stream)
            .distinct()
            .toList();
    return names.isEmpty()
        ? Future.succeededFuture(want)
        : bus.request(Secrets.FIND, new Secrets.FindSecrets(want.project(), names)).map(want);
  }
}
