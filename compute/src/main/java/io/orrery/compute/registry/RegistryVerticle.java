package io.orrery.compute.registry;

import io.orrery.compute.registry.RegistryClient.Credentials;
import io.orrery.compute.service.ImageLogin;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Registries;
import io.orrery.core.bus.contract.Registries.FoundImage;
import io.orrery.core.bus.contract.Registries.RegistryChecked;
import io.orrery.core.image.ImageReference;
import io.orrery.core.image.RegistryServer;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.net.InetAddress;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The verticle that asks registries with the accounts of projects. */
public final class RegistryVerticle extends VerticleBase {
  private final Bus bus;
  private final ProjectLogins logins;
  private final Predicate<InetAddress> allowed;
  private @Nullable RegistryClient client;

  /**
   * @param logins of projects
   * @param allowed whether a registry may be asked at an address that is not of the Internet
   */
  public RegistryVerticle(Bus bus, ProjectLogins logins, Predicate<InetAddress> allowed) {
    this.allowed = allowed;
    this.bus = bus;
    this.logins = logins;
  }

  @Override
  public Future<?> start() {
    client = new RegistryClient(vertx, allowed);
    return Future.all(
        bus.serve(Registries.CHECK, this::check), bus.serve(Registries.IMAGE, this::image));
  }

  @Override
  public Future<?> stop() {
    return client().close();
  }

  private RegistryClient client() {
    return Objects.requireNonNull(client);
  }

  private Future<RegistryChecked> check(Registries.CheckRegistry asked) {
    return logins
        .named(asked.project(), asked.name())
        .compose(login ->
            client().login(new RegistryServer(login.host(), ""), RegistryVerticle.of(login)))
        .map(reason -> new RegistryChecked(true, reason))
        .recover(failure ->
            Problem.of(failure) instanceof Problem.NotFound
                ? Future.failedFuture(failure)
                : Future.succeededFuture(new RegistryChecked(false, reason(failure))));
  }

  private static Credentials of(ImageLogin login) {
    return new Credentials(login.user(), login.password());
  }

  private Future<FoundImage> image(Registries.FindImage asked) {
    ImageReference image = ImageReference.parse(asked.image()).orElse(null);
    if (image == null) {
      throw new Problem.Refused(new Finding("/name", "an image is " + ImageReference.RULE))
          .toException();
    }
    return logins
        .find(asked.project(), asked.image())
        .compose(login -> client().find(image, login.map(RegistryVerticle::of).orElse(null)))
        .recover(failure -> Future.succeededFuture(new FoundImage(null, false, reason(failure))));
  }

  /** A sentence that has no password: those of registries have none, nor have those of secrets. */
  private static String reason(Throwable failure) {
    return switch (failure) {
      case RegistryException known -> Objects.requireNonNull(known.getMessage());
      default ->
          Problem.of(failure) instanceof Problem.Refused refused
              ? refused.findings().getFirst().message()
              : Problem.of(failure).detail();
    };
  }
}
