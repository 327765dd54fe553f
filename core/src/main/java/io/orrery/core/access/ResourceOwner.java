package io.orrery.core.access;

/**
 * The project and the owner of an object.
 *
 * @param owner the user who created it; empty for objects from before there were users
 */
public record ResourceOwner(ProjectName project, String owner) {
  /** An object without an owner, in the project {@code public}. */
  public static final ResourceOwner PUBLIC = new ResourceOwner(ProjectName.PUBLIC, "");
}
