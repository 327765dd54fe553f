package io.orrery.compute.catalog;

import io.orrery.compute.service.TrainingService;
import io.orrery.compute.service.TrainingServiceFactory;
import io.orrery.compute.service.TrainingServiceFactory.Surroundings;
import io.vertx.core.Future;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;

/** A server with some platforms and no others. */
public final class OnlyThese {
  private OnlyThese() {}

  public static Platforms of(Surroundings surroundings, TrainingServiceFactory... factories) {
    return new Platforms(surroundings, List.of(factories));
  }

  /** The service of one of them, with which all of them are closed. */
  public static TrainingService closingAll(Platforms platforms, String platform) {
    TrainingService service = platforms.service(platform).result();
    return (TrainingService)
        Proxy.newProxyInstance(
            OnlyThese.class.getClassLoader(),
            new Class<?>[] {TrainingService.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("close")) {
                return platforms.close();
              }
              try {
                return method.invoke(service, arguments);
              } catch (InvocationTargetException e) {
                return Future.failedFuture(e.getCause());
              }
            });
  }
}
