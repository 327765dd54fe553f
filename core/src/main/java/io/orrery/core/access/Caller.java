package io.orrery.core.access;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An authenticated caller with the roles that were in force when it was identified.
 *
 * @param name the user's name, or the name of a service account's token
 * @param role on the whole server
 * @param projects the role in each project that the caller belongs to; {@code public} among them
 * @param readOnly whether it shows a token whose scope is {@code read}
 */
public record Caller(
    String name,
    UserRole role,
    Kind kind,
    Map<ProjectName, ProjectRole> projects,
    boolean readOnly) {
  /** The origin of a caller's identity. */
  public enum Kind {
    /** A user account, by password, provider or proxy. */
    PERSON,
    /** A user account, by one of its personal tokens. */
    TOKEN,
    /** A token of the configuration: it belongs to no project and sees every one. */
    SERVICE
  }

  public Caller {
    projects = Map.copyOf(projects);
  }

  /** A service account of the configuration. */
  public static Caller service(String name, UserRole role) {
    return new Caller(name, role, Kind.SERVICE, Map.of(), false);
  }

  /** The role in a project; null when the caller does not belong to it. */
  public @Nullable ProjectRole in(ProjectName project) {
    return projects.get(project);
  }

  /** Whether no object of any project is hidden from this caller. */
  public boolean seesEverything() {
    return role == UserRole.ADMIN || kind == Kind.SERVICE;
  }

  /** Whether this caller may change nothing at all. */
  public boolean readsOnly() {
    return readOnly || role == UserRole.VIEWER;
  }
}
