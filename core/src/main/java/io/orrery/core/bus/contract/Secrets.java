package io.orrery.core.bus.contract;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.Address;
import io.orrery.core.bus.contract.People.Actor;
import io.orrery.core.bus.contract.People.Done;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Questions about the secrets of projects; the studio answers, and never with a value. */
public final class Secrets {
  /** The most characters of a value. */
  public static final int MOST_VALUE = 64 << 10;

  /** The most secrets of a project. */
  public static final int MOST_SECRETS = 200;

  /** Stores a value, in the place of the one before; Conflict when another was faster. */
  public static final Address<PutSecret, ProjectSecret> PUT =
      new Address<>("secrets.put", PutSecret.class, ProjectSecret.class);

  public static final Address<DeleteSecret, Done> DELETE =
      new Address<>("secrets.delete", DeleteSecret.class, Done.class);

  /** The secrets of a project, by name. */
  public static final Address<SecretsOf, ProjectSecretList> LIST =
      new Address<>("secrets.list", SecretsOf.class, ProjectSecretList.class);

  /** The sealed values of some secrets, for who holds the key; Refused when one is missing. */
  public static final Address<FindSecrets, FoundSecrets> FIND =
      new Address<>("secrets.find", FindSecrets.class, FoundSecrets.class);

  /** Seals a value with the key of the server; the orchestrator answers. */
  public static final Address<SealValue, SealedValue> SEAL =
      new Address<>("secrets.seal", SealValue.class, SealedValue.class);

  private Secrets() {}

  /**
   * A secret without its value.
   *
   * @param revision 1 when it is new, one more with each value
   */
  public record ProjectSecret(String name, String changedBy, Instant changedAt, long revision) {}

  public record ProjectSecretList(List<ProjectSecret> items) {
    public ProjectSecretList {
      items = List.copyOf(items);
    }
  }

  /**
   * A request to store a value.
   *
   * @param ifRevision the revision that is to be replaced; 0 for a new secret alone, null for any
   *     and for none
   */
  public record PutSecret(
      Actor by, ProjectName project, String name, String value, @Nullable Long ifRevision) {
    /** The same without the value. */
    @Override
    public String toString() {
      return "PutSecret[" + project + "/" + name + "]";
    }
  }

  /**
   * A request to delete a secret.
   *
   * @param ifRevision the revision that is to be deleted; null for any
   */
  public record DeleteSecret(
      Actor by, ProjectName project, String name, @Nullable Long ifRevision) {}

  public record SecretsOf(ProjectName project) {}

  public record FindSecrets(ProjectName project, List<String> names) {
    public FindSecrets {
      names = List.copyOf(names);
    }
  }

  /** The sealed values by the names of the secrets. */
  public record FoundSecrets(Map<String, String> sealed) {
    public FoundSecrets {
      sealed = Map.copyOf(sealed);
    }
  }

  public record SealValue(String value) {
    /** Nothing of the value. */
    @Override
    public String toString() {
      return "SealValue[]";
    }
  }

  public record SealedValue(String sealed) {}
}
