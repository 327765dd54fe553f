package io.orrery.core.bus.contract;

import io.orrery.core.access.Caller;
import io.orrery.core.access.ProjectName;
import io.orrery.core.access.UserName;
import io.orrery.core.access.UserRole;
import io.orrery.core.bus.Address;
import io.orrery.core.bus.Topic;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Questions about user accounts, their sessions and personal tokens; the studio answers. */
public final class People {
  /** The longest display name or mail address, in characters. */
  public static final int MOST_TEXT = 200;

  /** The most characters of a password. */
  public static final int MOST_PASSWORD = 256;

  /** Finds the caller of a session or personal token by the SHA-256 of its secret. */
  public static final Address<Identify, Identity> IDENTIFY =
      new Address<>("people.identify", Identify.class, Identity.class);

  /** The number of the last change to any account, session, token or membership. */
  public static final Address<AskRevision, Revision> REVISION =
      new Address<>("people.revision", AskRevision.class, Revision.class);

  /** A hint that the revision has moved. */
  public static final Topic<Revision> CHANGED = new Topic<>("people.changed", Revision.class);

  /** Opens a session for a name and password; Unauthorized when they do not fit, Busy for haste. */
  public static final Address<SignIn, User> SIGN_IN =
      new Address<>("people.signin", SignIn.class, User.class).waiting(Address.LONG);

  /** Opens a session for the holder of a token; Unauthorized when the token opens nothing. */
  public static final Address<TokenSignIn, Done> TOKEN_SIGN_IN =
      new Address<>("people.tokensignin", TokenSignIn.class, Done.class);

  /**
   * Opens a session for a user whom a provider or proxy has authenticated, and creates the account
   * when there is none; Forbidden when it is disabled or belongs to another.
   */
  public static final Address<ExternalSignIn, User> EXTERNAL_SIGN_IN =
      new Address<>("people.externalsignin", ExternalSignIn.class, User.class);

  /** Ends a session. */
  public static final Address<SignOut, SignedOut> SIGN_OUT =
      new Address<>("people.signout", SignOut.class, SignedOut.class);

  /** Sets the first password of an account by a set-up code; Unauthorized for an unknown code. */
  public static final Address<SetUp, User> SET_UP =
      new Address<>("people.setup", SetUp.class, User.class).waiting(Address.LONG);

  /** Stores the code of a set-up link for the first administrator, while there is no account. */
  public static final Address<FirstSetUp, FirstSetUpDone> FIRST =
      new Address<>("people.first", FirstSetUp.class, FirstSetUpDone.class);

  public static final Address<ListUsers, UserPage> LIST =
      new Address<>("people.list", ListUsers.class, UserPage.class);

  public static final Address<GetUser, User> GET =
      new Address<>("people.get", GetUser.class, User.class);

  /** Creates an account; Conflict when the name is taken. */
  public static final Address<CreateUser, CreatedUser> CREATE =
      new Address<>("people.create", CreateUser.class, CreatedUser.class);

  /** Changes an account; Conflict when it would leave no active administrator. */
  public static final Address<ChangeUser, User> CHANGE =
      new Address<>("people.change", ChangeUser.class, User.class);

  /** Deletes an account with its sessions, tokens and memberships. */
  public static final Address<DeleteUser, Done> DELETE =
      new Address<>("people.delete", DeleteUser.class, Done.class);

  /** Sets a password and ends all sessions of the account but one. */
  public static final Address<SetPassword, Done> SET_PASSWORD =
      new Address<>("people.password", SetPassword.class, Done.class).waiting(Address.LONG);

  public static final Address<ListTokens, Tokens> TOKENS =
      new Address<>("people.tokens", ListTokens.class, Tokens.class);

  /** Stores a personal token; Conflict when the account has one of that name. */
  public static final Address<CreateToken, Token> CREATE_TOKEN =
      new Address<>("people.createtoken", CreateToken.class, Token.class);

  public static final Address<DeleteToken, Done> DELETE_TOKEN =
      new Address<>("people.deletetoken", DeleteToken.class, Done.class);

  private People() {}

  /**
   * The author of a change, for the audit log.
   *
   * @param name of the user or service account
   * @param from the address that the request came from
   */
  public record Actor(String name, String from) {}

  /** The answer of what has nothing to tell. */
  public record Done() {}

  /**
   * A request for the caller behind a secret.
   *
   * @param digest SHA-256 of the secret, 64 lower-case hexadecimal digits
   */
  public record Identify(String digest) {}

  /**
   * The caller behind a secret.
   *
   * @param caller null when no active user has that secret
   * @param until the end of the session or token; null for none
   * @param revision in force before the caller was read
   * @param service SHA-256 of the token of the configuration by which the session was begun; null
   *     for none
   */
  public record Identity(
      @Nullable Caller caller, @Nullable Instant until, long revision, @Nullable String service) {}

  public record AskRevision() {}

  public record Revision(long number) {}

  /**
   * A sign-in with name and password.
   *
   * @param session SHA-256 of the new session's secret, as in {@link Identify}
   * @param from the address of the client
   */
  public record SignIn(String user, String password, String session, String from) {
    /** Never the password. */
    @Override
    public String toString() {
      return "SignIn[" + user + "]";
    }
  }

  /**
   * A sign-in with a token: the session opens what the token does, for as long as the token lasts.
   *
   * @param token SHA-256 of the token, as in {@link Identify}
   * @param service the name of the service account whose token it is; null for a personal token
   * @param session SHA-256 of the new session's secret
   */
  public record TokenSignIn(String token, @Nullable String service, String session, String from) {}

  /**
   * A sign-in that a provider or proxy vouches for.
   *
   * @param name of the account, when it is not known by the id
   * @param id at the provider; null when the name itself is what the proxy vouches for
   * @param admin whether the user is an administrator; null to leave the role as it is
   * @param session as in {@link SignIn}
   * @param from the address of the client
   */
  public record ExternalSignIn(
      UserName name,
      @Nullable ExternalId id,
      String displayName,
      String mail,
      @Nullable Boolean admin,
      String session,
      String from) {}

  /**
   * The lasting id of a user at a provider.
   *
   * @param subject unique and never used again within the issuer
   */
  public record ExternalId(String issuer, String subject) {}

  /**
   * A sign-out.
   *
   * @param by the name of the caller; null when the session opens nothing any more
   */
  public record SignOut(String session, @Nullable String by) {}

  /**
   * The answer to a sign-out.
   *
   * @param external whether the user is known by an id at a provider, where a session may go on
   */
  public record SignedOut(boolean external) {}

  /**
   * A first password for an account.
   *
   * @param code SHA-256 of the code of a set-up link
   * @param user the name that the first administrator chooses; null for an account that exists
   */
  public record SetUp(String code, @Nullable String user, String password, String from) {
    /** Never the password. */
    @Override
    public String toString() {
      return "SetUp[" + user + "]";
    }
  }

  /**
   * A code for the first administrator.
   *
   * @param code SHA-256 of the code, as in {@link SetUp}
   */
  public record FirstSetUp(String code) {}

  /**
   * The answer to a code for the first administrator.
   *
   * @param needed whether there is no account yet, and the code is in force
   */
  public record FirstSetUpDone(boolean needed) {}

  /** A user account; without its password. */
  public record User(
      UserName name,
      String displayName,
      String mail,
      UserRole role,
      boolean active,
      boolean passwordSet,
      Instant createdAt,
      Instant changedAt,
      long revision) {}

  /**
   * A request for a page of accounts.
   *
   * @param text null, or what name or display name contain
   * @param byMail whether the mail address may contain the text as well
   * @param role null for any
   * @param active null for both
   * @param cursor null for the first page
   */
  public record ListUsers(
      @Nullable String text,
      boolean byMail,
      @Nullable UserRole role,
      @Nullable Boolean active,
      @Nullable String cursor,
      int limit) {}

  /**
   * A page of accounts.
   *
   * @param next the cursor of the next page; null after the last
   */
  public record UserPage(List<User> items, @Nullable String next) {
    public UserPage {
      items = List.copyOf(items);
    }
  }

  public record GetUser(UserName name) {}

  /**
   * A request to create an account.
   *
   * @param active whether the user may sign in; null, as from a server before 0.2, for yes
   * @param code SHA-256 of the code of a set-up link, by which the user sets the first password
   */
  public record CreateUser(
      Actor by,
      UserName name,
      String displayName,
      String mail,
      UserRole role,
      @Nullable Boolean active,
      String code) {}

  /**
   * A new account.
   *
   * @param setUpUntil when the set-up link ends
   */
  public record CreatedUser(User user, Instant setUpUntil) {}

  /** A change of an account; null leaves a part as it is. */
  public record ChangeUser(
      Actor by,
      UserName name,
      @Nullable String displayName,
      @Nullable String mail,
      @Nullable UserRole role,
      @Nullable Boolean active,
      @Nullable Long ifRevision) {}

  public record DeleteUser(Actor by, UserName name) {}

  /**
   * A request to set a password.
   *
   * @param present the present password, which a user who changes the own one must show; null when
   *     an administrator sets it
   * @param keep the session that stays open, as in {@link Identify}; null for none
   */
  public record SetPassword(
      Actor by, UserName name, @Nullable String present, String password, @Nullable String keep) {
    /** Never the password. */
    @Override
    public String toString() {
      return "SetPassword[" + name + "]";
    }
  }

  public record ListTokens(UserName user) {}

  /** A personal token; without its secret. */
  public record Token(
      String name,
      Scope scope,
      @Nullable List<ProjectName> projects,
      Instant createdAt,
      @Nullable Instant expiresAt) {
    public Token {
      projects = projects == null ? null : List.copyOf(projects);
    }
  }

  /** The permission of a personal token. */
  public enum Scope {
    /** Allows what its user may. */
    FULL,
    /** Allows reading alone. */
    READ
  }

  public record Tokens(List<Token> items) {
    public Tokens {
      items = List.copyOf(items);
    }
  }

  /**
   * A request to store a personal token.
   *
   * @param digest SHA-256 of the secret, as in {@link Identify}
   * @param projects the only projects that it opens; null for all of its user's
   */
  public record CreateToken(
      Actor by,
      UserName user,
      String name,
      Scope scope,
      @Nullable List<ProjectName> projects,
      @Nullable Instant expiresAt,
      String digest) {
    public CreateToken {
      projects = projects == null ? null : List.copyOf(projects);
    }
  }

  public record DeleteToken(Actor by, UserName user, String name) {}
}
