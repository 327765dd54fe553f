package io.orrery.core.bus.contract;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.Address;
import io.orrery.core.bus.contract.People.Actor;
import io.orrery.core.bus.contract.People.Done;
import io.orrery.core.bus.contract.Services.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Questions about accounts of image registries. The studio keeps them, sealed; the orchestrator has
 * the key and asks the registries.
 */
public final class Registries {
  /** The most accounts of a project. */
  public static final int MOST_ACCOUNTS = 100;

  /** The most characters of a password. */
  public static final int MOST_PASSWORD = 16 << 10;

  /** How long asking a registry may take: several requests with their limits. */
  private static final Duration REMOTE = Duration.ofSeconds(40);

  public static final Address<ListRegistries, RegistryList> LIST =
      new Address<>("registries.list", ListRegistries.class, RegistryList.class);

  public static final Address<GetRegistry, RegistryAccount> GET =
      new Address<>("registries.get", GetRegistry.class, RegistryAccount.class);

  public static final Address<PutRegistry, PutRegistryDone> PUT =
      new Address<>("registries.put", PutRegistry.class, PutRegistryDone.class);

  public static final Address<DeleteRegistry, Done> DELETE =
      new Address<>("registries.delete", DeleteRegistry.class, Done.class);

  /** The accounts of a project with their sealed passwords, for who holds the key. */
  public static final Address<FindRegistryLogins, FoundRegistryLogins> FIND =
      new Address<>("registries.find", FindRegistryLogins.class, FoundRegistryLogins.class);

  /** Logs in; the orchestrator answers. */
  public static final Address<CheckRegistry, RegistryChecked> CHECK =
      new Address<>("registries.check", CheckRegistry.class, RegistryChecked.class, REMOTE);

  /** Asks a registry for an image, with an account of the project; the orchestrator answers. */
  public static final Address<FindImage, FoundImage> IMAGE =
      new Address<>("registries.image", FindImage.class, FoundImage.class, REMOTE);

  private Registries() {}

  /**
   * An account, without its password.
   *
   * @param server host, or host and path
   * @param passwordFrom the secret of the project that is its password; null when it has its own
   */
  public record RegistryAccount(
      String name,
      ProjectName project,
      String owner,
      String server,
      String user,
      @Nullable String passwordFrom,
      Instant createdAt,
      Instant changedAt,
      long revision) {}

  /**
   * A request for accounts.
   *
   * @param among the projects whose accounts may be seen; null for all
   */
  public record ListRegistries(
      @Nullable List<ProjectName> among, @Nullable String owner, @Nullable String q) {
    public ListRegistries {
      among = among == null ? null : List.copyOf(among);
    }
  }

  public record RegistryList(List<RegistryAccount> items) {
    public RegistryList {
      items = List.copyOf(items);
    }
  }

  public record GetRegistry(String name) {}

  /**
   * A request to create or change an account.
   *
   * @param password itself, or {@code secret:NAME}; null to leave it as it is
   * @param creates whether it must not be there yet, or must be
   * @param ifRevision the revision that is to be changed; null for any
   * @param dryRun whether it is only checked
   */
  public record PutRegistry(
      Actor by,
      String name,
      ProjectName project,
      String server,
      String user,
      @Nullable String password,
      boolean creates,
      @Nullable Long ifRevision,
      boolean dryRun) {
    /** The same without the password. */
    @Override
    public String toString() {
      return "PutRegistry[" + name + "]";
    }
  }

  public record PutRegistryDone(RegistryAccount account, Outcome outcome) {}

  public record DeleteRegistry(Actor by, String name) {}

  /**
   * A request for logins.
   *
   * @param name of one account; null for all of the project
   */
  public record FindRegistryLogins(ProjectName project, @Nullable String name) {}

  public record FoundRegistryLogins(List<RegistryLogin> items) {
    public FoundRegistryLogins {
      items = List.copyOf(items);
    }
  }

  /**
   * A login with its password as it is stored.
   *
   * @param stored a sealed text, or {@code secret:NAME}
   */
  public record RegistryLogin(String name, String server, String user, String stored) {}

  public record CheckRegistry(ProjectName project, String name) {}

  /**
   * The outcome of a login.
   *
   * @param reason a sentence
   */
  public record RegistryChecked(boolean ok, String reason) {}

  public record FindImage(ProjectName project, String image) {}

  /**
   * The answer of a registry about an image.
   *
   * @param digest null when it is not there or the registry could not be asked
   * @param asked whether the registry has answered whether it has the image
   * @param reason a sentence when there is no digest
   */
  public record FoundImage(@Nullable String digest, boolean asked, @Nullable String reason) {}
}
