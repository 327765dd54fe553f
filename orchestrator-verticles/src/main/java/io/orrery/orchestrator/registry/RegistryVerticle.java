package io.orrery.orchestrator.registry;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Registries;
import io.orrery.core.bus.contract.Registries.FoundImage;
import io.orrery.core.bus.contract.Registries.RegistryChecked;
import io.orrery.core.bus.contract.Registries.RegistryLogin;
import io.orrery.core.image.ImageReference;
import io.orrery.core.image.RegistryServer;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.orchestrator.registry.RegistryClient.Credentials;
import io.orrery.orchestrator.secret.ProjectSecrets;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The verticle that asks registries with the accounts of projects. */
public final class RegistryVerticle extends VerticleBase {
  private final Bus bus;
  private final ProjectSecrets secrets;
  private @Nullable RegistryClient client;

  /**
   * @param secrets that open passwords
   */
  public RegistryVerticle(Bus bus, ProjectSecrets secrets) {
    this.bus = bus;
    this.secrets = secrets;
  }

  @Override
  public Future<?> start() {
    client = new RegistryClient(vertx);
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
    return bus.request(
            Registries.FIND, new Registries.FindRegistryLogins(asked.project(), asked.name()))
        .compose(found -> {
          RegistryLogin login = found.items().getFirst();
          RegistryServer server = RegistryServer.parse(login.server()).orElseThrow();
          return opened(asked.project(), login)
              .compose(credentials -> client().login(server, credentials))
              .map(reason -> new RegistryChecked(true, reason))
              .recover(
                  failure -> Future.succeededFuture(new RegistryChecked(false, reason(failure))));
        });
  }

  private Future<FoundImage> image(Registries.FindImage asked) {
    ImageReference image = ImageReference.parse(asked.image()).orElse(null);
    if (image == null) {
      throw new Problem.Refused(new Finding("/name", "an image is " + ImageReference.RULE))
          .toException();
    }
    return bus.request(Registries.FIND, new Registries.FindRegistryLogins(asked.project(), null))
        .compose(found ->
            nearest(found.items(), image)
                .map(login -> opened(asked.project(), login))
                .orElse(Future.succeededFuture(null))
                .compose((@Nullable Credentials account) -> client().find(image, account))
                .recover(failure ->
                    Future.succeededFuture(new FoundImage(null, false, reason(failure)))));
  }

  /** The account whose server names the most of an image. */
  private static Optional<RegistryLogin> nearest(List<RegistryLogin> logins, ImageReference image) {
    return logins.stream()
        .filter(login ->
            RegistryServer.parse(login.server()).filter(server -> server.has(image)).isPresent())
        .max(
            Comparator.comparingInt((RegistryLogin login) -> login.server().length())
                .thenComparing(RegistryLogin::name, Comparator.reverseOrder()));
  }

  private Future<Credentials> opened(ProjectName project, RegistryLogin login) {
    return secrets
        .open(project, login.stored())
        .map(password -> new Credentials(login.user(), password));
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
