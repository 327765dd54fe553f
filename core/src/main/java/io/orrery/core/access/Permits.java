package io.orrery.core.access;

/**
 * Decides whether a caller may do something with an object. The table is in {@code docs/roles.md},
 * written by a test from this function.
 */
public final class Permits {
  private Permits() {}

  /** Decides over an object of a project. */
  public static AccessDecision decide(Caller caller, Need need, ResourceOwner object) {
    if (!caller.seesEverything() && caller.in(object.project()) == null) {
      return AccessDecision.HIDDEN;
    }
    if (need == Need.READ) {
      return AccessDecision.ALLOWED;
    }
    if (caller.readsOnly()) {
      return AccessDecision.FORBIDDEN;
    }
    return caller.role() == UserRole.ADMIN || inProject(caller, need, object)
        ? AccessDecision.ALLOWED
        : AccessDecision.FORBIDDEN;
  }

  private static boolean inProject(Caller caller, Need need, ResourceOwner object) {
    ProjectRole role = caller.in(object.project());
    if (role == null) {
      return false;
    }
    boolean own = role == ProjectRole.MEMBER && object.owner().equals(caller.name());
    return switch (need) {
      case READ -> true;
      case CREATE -> role == ProjectRole.CREATOR || role == ProjectRole.MEMBER;
      case OPERATE -> role == ProjectRole.CREATOR || role == ProjectRole.OPS || own;
      case CHANGE -> role == ProjectRole.CREATOR || own;
      case MANAGE -> role == ProjectRole.CREATOR;
    };
  }
}
