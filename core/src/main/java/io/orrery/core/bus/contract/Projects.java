package io.orrery.core.bus.contract;

import io.orrery.core.access.ProjectName;
import io.orrery.core.access.ProjectRole;
import io.orrery.core.access.UserName;
import io.orrery.core.bus.Address;
import io.orrery.core.bus.contract.People.Actor;
import io.orrery.core.bus.contract.People.Done;
import io.orrery.core.project.ProjectSettings;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Questions about projects, their members and requests to join; the studio answers. */
public final class Projects {
  /** The most characters of a project's title, or of the message of a request to join. */
  public static final int MOST_TEXT = 500;

  /** The most characters of a project's settings, and of its quota, as JSON. */
  public static final int MOST_SETTINGS = ProjectSettings.MOST_CHARACTERS;

  public static final Address<ListProjects, ProjectPage> LIST =
      new Address<>("projects.list", ListProjects.class, ProjectPage.class);

  public static final Address<GetProject, Project> GET =
      new Address<>("projects.get", GetProject.class, Project.class);

  /** Creates a project, whose author becomes its creator, or changes it. */
  public static final Address<PutProject, PutDone> PUT =
      new Address<>("projects.put", PutProject.class, PutDone.class);

  /** Deletes a project; Conflict while it has experiments. */
  public static final Address<DeleteProject, Done> DELETE =
      new Address<>("projects.delete", DeleteProject.class, Done.class);

  public static final Address<GetProject, Members> MEMBERS =
      new Address<>("projects.members", GetProject.class, Members.class);

  /** Adds a member or changes the role; Conflict when it would leave no creator. */
  public static final Address<PutMember, Member> PUT_MEMBER =
      new Address<>("projects.putmember", PutMember.class, Member.class);

  public static final Address<RemoveMember, Done> REMOVE_MEMBER =
      new Address<>("projects.removemember", RemoveMember.class, Done.class);

  /** Asks to join; asking again replaces the message. */
  public static final Address<AskToJoin, JoinRequest> ASK =
      new Address<>("projects.ask", AskToJoin.class, JoinRequest.class);

  public static final Address<GetProject, JoinRequests> REQUESTS =
      new Address<>("projects.requests", GetProject.class, JoinRequests.class);

  /** Accepts or refuses a request to join. */
  public static final Address<Answer, Done> ANSWER =
      new Address<>("projects.answer", Answer.class, Done.class);

  private Projects() {}

  /**
   * A project.
   *
   * @param settings a JSON object
   * @param quota a JSON object
   * @param owner who created it; empty for {@code public}
   */
  public record Project(
      ProjectName name,
      String title,
      String settings,
      String quota,
      String owner,
      Instant createdAt,
      Instant changedAt,
      long revision) {}

  /**
   * A request for a page of projects.
   *
   * @param among the names that may be seen; null for all
   * @param text null, or what name or title contain
   * @param member null, or the name of a user who belongs to the projects
   * @param memberRole the role that this user has in them; null for any
   */
  public record ListProjects(
      @Nullable List<ProjectName> among,
      @Nullable String text,
      @Nullable String member,
      @Nullable ProjectRole memberRole,
      @Nullable String cursor,
      int limit) {
    public ListProjects {
      among = among == null ? null : List.copyOf(among);
    }
  }

  /**
   * A page of projects.
   *
   * @param next the cursor of the next page; null after the last
   * @param memberRoles the roles of the member that was asked for, by the names of the projects;
   *     empty when none was
   */
  public record ProjectPage(
      List<Project> items, @Nullable String next, Map<String, ProjectRole> memberRoles) {
    public ProjectPage {
      items = List.copyOf(items);
      // A server of an earlier release leaves it out.
      memberRoles = memberRoles == null ? Map.of() : Map.copyOf(memberRoles);
    }
  }

  public record GetProject(ProjectName name) {}

  /**
   * A request to create or change a project.
   *
   * @param creates whether it may be created: Conflict when it exists already; else it must exist
   * @param quota null to leave the one that it has
   * @param ifRevision the revision that is to be changed; null for any
   */
  public record PutProject(
      Actor by,
      ProjectName name,
      String title,
      String settings,
      @Nullable String quota,
      boolean creates,
      @Nullable Long ifRevision) {}

  public record PutDone(Project project, boolean created) {}

  public record DeleteProject(Actor by, ProjectName name) {}

  /**
   * A member of a project.
   *
   * @param revision 1 for a new one, one more with each change of the role
   */
  public record Member(UserName user, String displayName, ProjectRole role, long revision) {}

  public record Members(List<Member> items) {
    public Members {
      items = List.copyOf(items);
    }
  }

  /**
   * A request to add a member or to change the role of one.
   *
   * @param ifRevision the revision that is to be changed; 0 for a new member alone, null for any
   *     and for none
   */
  public record PutMember(
      Actor by, ProjectName project, UserName user, ProjectRole role, @Nullable Long ifRevision) {}

  /**
   * A request to remove a member.
   *
   * @param ifRevision the revision that is to be removed; null for any
   */
  public record RemoveMember(
      Actor by, ProjectName project, UserName user, @Nullable Long ifRevision) {}

  public record AskToJoin(Actor by, ProjectName project, UserName user, String message) {}

  /** A request of a user to become a member. */
  public record JoinRequest(UserName user, String message, Instant askedAt) {}

  public record JoinRequests(List<JoinRequest> items) {
    public JoinRequests {
      items = List.copyOf(items);
    }
  }

  public record Answer(Actor by, ProjectName project, UserName user, boolean accepted) {}
}
