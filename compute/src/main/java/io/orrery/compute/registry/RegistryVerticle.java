package io.orrery.compute.registry;

import io.orrery.compute.registry.RegistryClient.Credentials;
import io.orrery.compute.service.ImageLogin;
import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.OldImages;
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
import java.util.List;
import java.util.Objects;
import java.util.Optional;
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
        bus.serve(Registries.CHECK, this::check),
        bus.serve(Registries.IMAGE, this::image),
        bus.serve(OldImages.TAGS, this::tags),
        bus.serve(OldImages.REMOVE, this::remove));
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
    ImageReference image = parsed(asked.image());
    return login(asked.project(), image)
        .compose(login -> client().find(image, login.orElse(null)))
        .recover(failure -> Future.succeededFuture(new FoundImage(null, false, reason(failure))));
  }

  private Future<OldImages.FoundTags> tags(OldImages.FindTags asked) {
    ImageReference image = parsed(asked.image());
    return login(asked.project(), image)
        .compose(login -> new ImageTags(client(), image, login.orElse(null)).find())
        .recover(failure ->
            Future.succeededFuture(new OldImages.FoundTags(List.of(), null, reason(failure))));
  }

  private Future<OldImages.ImageRemoved> remove(OldImages.RemoveImage asked) {
    ImageReference image = parsed(asked.image());
    return login(asked.project(), image)
        .compose(login -> client().remove(image, login.orElse(null)))
        .map(new OldImages.ImageRemoved(null))
        .recover(failure -> Future.succeededFuture(new OldImages.ImageRemoved(reason(failure))));
  }

  private static ImageReference parsed(String name) {
    return ImageReference.parse(name)
        .orElseThrow(() ->
            new Problem.Refused(new Finding("/name", "an image is " + ImageReference.RULE))
                .toException());
  }

  private Future<Optional<Credentials>> login(ProjectName project, ImageReference image) {
    return logins.find(project, image.toString()).map(login -> login.map(RegistryVerticle::of));
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
