package io.orrery.compute.service;

import io.orrery.compute.service.TrainingServiceFactory.Surroundings;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.process.Sandbox;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/**
 * The ownership of experiments by one of several servers in a test, where all have the same
 * keepers. Until it is over the platforms around it may act, and from then on they may not.
 */
public final class Tenure {
  private volatile boolean over;

  /** Moves the ownership of everything to another server. */
  public void end() {
    over = true;
  }

  /** The same surroundings, for as long as this lasts. */
  public Surroundings in(Surroundings whole) {
    return new Surroundings(
        whole.vertx(),
        whole.clock(),
        whole.home(),
        whole.own(),
        whole.sdk(),
        whole.access(),
        whole.listener(),
        limited(whole.keepers()),
        whole.neighbours(),
        Sandbox.NONE,
        whole.logins(),
        whole.environments());
  }

  private Keepers limited(Keepers keepers) {
    return (Keepers)
        Proxy.newProxyInstance(
            Tenure.class.getClassLoader(),
            new Class<?>[] {Keepers.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("mayAct")) {
                return !over && keepers.mayAct((ExperimentId) arguments[0]);
              }
              if (method.getName().equals("mustAct")) {
                if (over) {
                  throw Keepers.another((ExperimentId) arguments[0]);
                }
                return null;
              }
              try {
                return method.invoke(keepers, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
