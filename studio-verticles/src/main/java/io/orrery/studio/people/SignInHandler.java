package io.orrery.studio.people;

import io.orrery.core.access.Caller;
import io.orrery.core.access.UserName;
import io.orrery.core.access.UserRole;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.People;
import io.orrery.core.bus.contract.People.Actor;
import io.orrery.core.bus.contract.People.Done;
import io.orrery.core.bus.contract.People.FirstSetUp;
import io.orrery.core.bus.contract.People.FirstSetUpDone;
import io.orrery.core.bus.contract.People.SetPassword;
import io.orrery.core.bus.contract.People.SetUp;
import io.orrery.core.bus.contract.People.SignIn;
import io.orrery.core.bus.contract.People.SignOut;
import io.orrery.core.bus.contract.People.SignedOut;
import io.orrery.core.bus.contract.People.TokenSignIn;
import io.orrery.core.bus.contract.People.User;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.orrery.core.time.Clock;
import io.orrery.studio.audit.AuditedChanges;
import io.orrery.studio.audit.AuditedChanges.What;
import io.orrery.studio.password.PasswordRules;
import io.orrery.studio.password.Passwords;
import io.orrery.studio.people.UserTable.Account;
import io.orrery.studio.people.UserTable.SetUpCode;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Signs users in and out by name and password, and sets passwords. */
public final class SignInHandler {
  /** How long a session lasts. */
  public static final Duration SESSION_LIFE = Duration.ofHours(12);

  private final Bus bus;
  private final AuditedChanges changes;
  private final Passwords passwords;
  private final UserTable users;
  private final SecretTable secrets;
  private final Store store;
  private final SignInLimits limits;

  private record Ended(String user, boolean external) {}

  public SignInHandler(
      Bus bus, Store store, Clock clock, AuditedChanges changes, Passwords passwords) {
    this.bus = bus;
    this.store = store;
    this.changes = changes;
    this.passwords = passwords;
    this.users = new UserTable(store);
    this.secrets = new SecretTable(store);
    this.limits = new SignInLimits(clock);
  }

  /** Completes when all addresses are served. */
  public Future<?> serve() {
    return Future.all(
        List.of(
            bus.serve(People.SIGN_IN, this::signIn),
            bus.serve(People.TOKEN_SIGN_IN, this::signInByToken),
            bus.serve(People.SIGN_OUT, this::signOut),
            bus.serve(People.FIRST, this::first),
            bus.serve(People.SET_UP, this::setUp),
            bus.serve(People.SET_PASSWORD, this::setPassword)));
  }

  /** The same answer, after the same time, whether the name or the password is wrong. */
  private Future<User> signIn(SignIn wanted) {
    String name = wanted.user();
    limits.check(name, wanted.from());
    Future<Optional<Account>> known =
        UserName.valid(name)
            ? users.find(new UserName(name))
            : Future.succeededFuture(Optional.empty());
    return known.compose(found -> {
      String phc = found.map(Account::password).orElse(null);
      boolean active = found.isPresent() && found.get().user().active();
      Future<Boolean> fits =
          phc == null || !active
              ? passwords.matchesNoAccount(wanted.password())
              : passwords.matches(wanted.password(), phc);
      return fits.compose(right -> {
        if (!right) {
          limits.failed(name, wanted.from());
          throw new Problem.Unauthorized("The name or the password is wrong.").toException();
        }
        limits.succeeded(name, wanted.from());
        User user = found.orElseThrow().user();
        Instant now = changes.now();
        return changes
            .commit(
                new Actor(name, wanted.from()),
                new What("sign-in", "session", name),
                SecretTable.openSession(wanted.session(), user.name(), now, now.plus(SESSION_LIFE)))
            .map(user);
      });
    });
  }

  private Future<Done> signInByToken(TokenSignIn wanted) {
    Instant now = changes.now();
    String service = wanted.service();
    Future<String> holder =
        service != null
            ? Future.succeededFuture(service)
            : secrets
                .find(wanted.token(), now)
                .map(found ->
                    found
                        .filter(each -> each.kind() == Caller.Kind.TOKEN)
                        .map(each -> each.name().value())
                        .orElseThrow(() ->
                            new Problem.Unauthorized("This server does not know that token.")
                                .toException()));
    return holder
        .compose(name ->
            changes.commit(
                new Actor(name, wanted.from()),
                new What("sign-in", "session", name),
                SecretTable.openTokenSession(
                    wanted.session(), wanted.token(), now, now.plus(SESSION_LIFE))))
        .map(new Done());
  }

  private Future<SignedOut> signOut(SignOut wanted) {
    String session = wanted.session();
    return store
        .read(
            Statement.of(
                "select s.user_name, (select count(*) from external_ids e where e.user_name ="
                    + " s.user_name) as ids from sessions s where s.digest = ?",
                session),
            row ->
                new Ended(
                    Objects.requireNonNullElse(wanted.by(), row.text("user_name")),
                    row.integer("ids") > 0))
        .compose(ended ->
            ended.isEmpty()
                ? Future.succeededFuture(new SignedOut(false))
                : changes
                    .commit(
                        new Actor(ended.getFirst().user(), ""),
                        new What("sign-out", "session", ended.getFirst().user()),
                        SecretTable.endSession(session))
                    .map(new SignedOut(ended.getFirst().external())));
  }

  // ---- passwords -----------------------------------------------------------------------------

  private Future<FirstSetUpDone> first(FirstSetUp wanted) {
    return users
        .empty()
        .compose(empty ->
            empty
                ? store
                    .write(
                        List.of(
                            UserTable.deleteCodes(null),
                            UserTable.insertCode(
                                wanted.code(),
                                null,
                                changes.now().plus(PeopleHandler.SET_UP_LIFE))))
                    .map(new FirstSetUpDone(true))
                : Future.succeededFuture(new FirstSetUpDone(false)));
  }

  private Future<User> setUp(SetUp wanted) {
    return users
        .code(wanted.code())
        .compose(found -> {
          if (found.isEmpty() || found.get().endsAt().isBefore(changes.now())) {
            throw new Problem.Unauthorized(
                    "This set-up link has been used, or has ended: ask an administrator for a new"
                        + " one.")
                .toException();
          }
          UserName name = named(found.get(), wanted.user());
          check(wanted.password(), name, "/password");
          return passwords
              .hash(wanted.password())
              .compose(phc -> setUp(wanted, found.get(), name, phc));
        });
  }

  private static UserName named(SetUpCode code, @Nullable String wanted) {
    if (code.user() != null) {
      return code.user();
    }
    if (wanted == null || !UserName.valid(wanted)) {
      throw new Problem.Refused(
              new Finding(
                  "/user",
                  "a user name has 2 to 50 lower-case letters, digits and -, a letter first"))
          .toException();
    }
    return new UserName(wanted);
  }

  private Future<User> setUp(SetUp wanted, SetUpCode code, UserName name, String phc) {
    Instant now = changes.now();
    Statement set =
        code.user() == null
            ? UserTable.insert(name, "", "", UserRole.ADMIN, true, phc, now)
            : UserTable.setPassword(name, phc, now);
    return changes
        .commit(
            new Actor(name.value(), wanted.from()),
            new What("set-up", "user", name.value()),
            UserTable.useCode(wanted.code()),
            set)
        .compose(done -> users.get(name))
        .map(Account::user);
  }

  private Future<Done> setPassword(SetPassword wanted) {
    check(wanted.password(), wanted.name(), "/password");
    return users
        .get(wanted.name())
        .compose(account -> present(wanted, account))
        .compose(right -> passwords.hash(wanted.password()))
        .compose(phc ->
            changes.commit(
                wanted.by(),
                new What("password", "user", wanted.name().value()),
                UserTable.setPassword(wanted.name(), phc, changes.now()),
                UserTable.deleteCodes(wanted.name()),
                SecretTable.endSessions(wanted.name(), wanted.keep())))
        .map(new Done());
  }

  /** Checks the present password where it has to be shown. */
  private Future<Void> present(SetPassword wanted, Account account) {
    String shown = wanted.present();
    String phc = account.password();
    if (shown == null || phc == null) {
      return Future.succeededFuture();
    }
    String name = wanted.name().value();
    limits.check(name, wanted.by().from());
    return passwords
        .matches(shown, phc)
        .compose(right -> {
          if (right) {
            return Future.succeededFuture();
          }
          limits.failed(name, wanted.by().from());
          return Future.failedFuture(
              new Problem.Refused(new Finding("/present", "the present password is another one"))
                  .toException());
        });
  }

  private static void check(String password, UserName name, String at) {
    PasswordRules.fault(password, name.value())
        .ifPresent(fault -> {
          throw new Problem.Refused(new Finding(at, fault)).toException();
        });
  }
}
