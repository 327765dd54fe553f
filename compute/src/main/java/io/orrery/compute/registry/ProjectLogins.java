package io.orrery.compute.registry;

import io.orrery.compute.secret.ProjectSecrets;
import io.orrery.compute.service.ImageLogin;
import io.orrery.compute.service.ImageLogins;
import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Registries;
import io.orrery.core.bus.contract.Registries.RegistryLogin;
import io.orrery.core.image.ImageReference;
import io.orrery.core.image.RegistryServer;
import io.vertx.core.Future;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Finds logins among the accounts of projects, which the studio has with sealed passwords. */
public final class ProjectLogins implements ImageLogins {
  private final Bus bus;
  private final ProjectSecrets secrets;

  /**
   * @param secrets that open passwords
   */
  public ProjectLogins(Bus bus, ProjectSecrets secrets) {
    this.bus = bus;
    this.secrets = secrets;
  }

  @Override
  public Future<Optional<ImageLogin>> find(ProjectName project, String image) {
    ImageReference name = ImageReference.parse(image).orElse(null);
    if (name == null) {
      return Future.succeededFuture(Optional.empty());
    }
    return bus.request(Registries.FIND, new Registries.FindRegistryLogins(project, null))
        .compose(found ->
            nearest(found.items(), name)
                .map(login -> opened(project, login).map(Optional::of))
                .orElse(Future.succeededFuture(Optional.empty())));
  }

  /** The login of one account; fails with NotFound when the project does not have it. */
  Future<ImageLogin> named(ProjectName project, String account) {
    return bus.request(Registries.FIND, new Registries.FindRegistryLogins(project, account))
        .compose(found -> opened(project, found.items().getFirst()));
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

  private Future<ImageLogin> opened(ProjectName project, RegistryLogin login) {
    String host = RegistryServer.parse(login.server()).orElseThrow().host();
    return secrets
        .open(project, login.stored())
        .map(password -> new ImageLogin(host, login.user(), password));
  }
}
