package io.orrery.compute.remote;

import io.orrery.compute.secret.SecretBox;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.process.UserHome;
import io.orrery.core.time.Clock;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import javax.security.auth.login.FailedLoginException;
import org.apache.sshd.client.SshClient;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.common.AttributeRepository;
import org.apache.sshd.common.AttributeRepository.AttributeKey;
import org.apache.sshd.common.config.keys.FilePasswordProvider;
import org.apache.sshd.common.kex.KexProposalOption;
import org.apache.sshd.common.session.Session;
import org.apache.sshd.common.session.SessionListener;
import org.apache.sshd.common.util.io.resource.PathResource;
import org.apache.sshd.common.util.security.SecurityUtils;
import org.jspecify.annotations.Nullable;

/**
 * The SSH client: one for all machines. Whom it talks to and how it logs in is said by the {@link
 * Login}; nothing of the user's SSH configuration is read but keys and known hosts. Blocks.
 */
final class Ssh implements AutoCloseable {
  private static final AttributeKey<Attempt> ATTEMPT = new AttributeKey<>();
  private static final List<String> USUAL_KEYS = List.of("id_ed25519", "id_ecdsa", "id_rsa");

  private final SshClient client;
  private final HostKeys hosts;
  private final SecretBox secrets;
  private final Clock clock;
  private final Duration limit;
  private final boolean agent;
  private final Path usual;

  /** An attempt to connect: its login, and what the host key had against it. */
  private record Attempt(Login login, Set<String> types, AtomicReference<String> objection) {}

  /**
   * @param variables the server's environment: where its user's keys and SSH agent are
   * @param clock says when machines were heard
   * @param limit how long each of connecting and logging in may take
   */
  Ssh(
      HostKeys hosts,
      SecretBox secrets,
      Map<String, String> variables,
      Clock clock,
      Duration limit) {
    this.hosts = hosts;
    this.secrets = secrets;
    this.clock = clock;
    this.limit = limit;
    this.usual = UserHome.of(variables).resolve(".ssh");
    this.client = SshClients.fresh(limit);
    client.setServerKeyVerifier((session, address, key) -> {
      Attempt attempt = attempt(session);
      String objection =
          attempt == null
              ? "is not a machine of any attempt"
              : hosts.objection(attempt.login(), key);
      if (attempt != null) {
        attempt.objection().set(objection);
      }
      return objection == null;
    });
    client.addSessionListener(new KnownTypesFirst());
    String socket = variables.get("SSH_AUTH_SOCK");
    this.agent = socket != null && !socket.isEmpty() && Files.exists(Path.of(socket));
    if (agent) {
      client.setAgentFactory(
          AgentSocket.factory(
              Path.of(String.valueOf(socket)),
              session -> {
                Attempt attempt = attempt(session);
                return attempt != null && usesUsualKeys(attempt.login());
              }));
    }
    client.start();
  }

  /** Connects and logs in. */
  Connection connect(Login login) throws MachineAway {
    Attempt attempt = new Attempt(login, hosts.types(login), new AtomicReference<>());
    ClientSession session = null;
    try {
      session =
          client
              .connect(
                  login.user(),
                  login.host(),
                  login.port(),
                  AttributeRepository.ofKeyValuePair(ATTEMPT, attempt))
              .verify(limit)
              .getSession();
      identify(session, login);
      session.auth().verify(limit);
      return new Connection(session, clock);
    } catch (IOException | RuntimeException e) {
      if (session != null) {
        session.close(true);
      }
      throw unreachable(e, attempt, session != null);
    } catch (MachineAway e) {
      if (session != null) {
        session.close(true);
      }
      throw e;
    }
  }

  private void identify(ClientSession session, Login login) throws MachineAway {
    String password = login.password();
    if (password != null) {
      session.setUserAuthFactoriesNames(List.of("password", "keyboard-interactive"));
      session.addPasswordIdentity(open(password, "password"));
      return;
    }
    session.setUserAuthFactoriesNames(List.of("publickey"));
    List<KeyPair> keys = new ArrayList<>();
    MachineAway locked = null;
    for (Path file : keyFiles(login)) {
      try {
        keys.addAll(load(file, login));
      } catch (MachineAway e) {
        // Of the usual keys some may be closed, or are known to the agent alone.
        locked = e;
      }
    }
    if (keys.isEmpty() && !(agent && usesUsualKeys(login))) {
      throw locked != null
          ? locked
          : MachineAway.lasting(
              "cannot be logged in to: there is no password, no sshKeyFile, none of "
                  + String.join(", ", USUAL_KEYS)
                  + " in "
                  + usual
                  + ", and no SSH agent");
    }
    keys.forEach(session::addPublicKeyIdentity);
  }

  private static boolean usesUsualKeys(Login login) {
    return login.password() == null && login.keyFile() == null;
  }

  private List<Path> keyFiles(Login login) {
    Path given = login.keyFile();
    if (given != null) {
      return List.of(given);
    }
    return USUAL_KEYS.stream().map(usual::resolve).filter(Files::isRegularFile).toList();
  }

  private List<KeyPair> load(Path file, Login login) throws MachineAway {
    String passphrase = login.passphrase();
    FilePasswordProvider opener =
        passphrase == null
            ? FilePasswordProvider.EMPTY
            : FilePasswordProvider.of(open(passphrase, "sshPassphrase"));
    List<KeyPair> keys = new ArrayList<>();
    try (InputStream in = Files.newInputStream(file)) {
      Iterable<KeyPair> found =
          SecurityUtils.loadKeyPairIdentities(null, new PathResource(file), in, opener);
      if (found != null) {
        found.forEach(keys::add);
      }
    } catch (FailedLoginException closed) {
      throw MachineAway.lasting(
          "cannot be logged in to: the key "
              + file
              + " has a passphrase, and sshPassphrase "
              + (passphrase == null ? "is not set" : "does not open it"));
    } catch (IOException | GeneralSecurityException | RuntimeException e) {
      throw MachineAway.lasting(
          "cannot be logged in to: the key "
              + file
              + (passphrase == null
                  ? " cannot be read: " + e.getMessage()
                  : " is not opened by sshPassphrase"));
    }
    if (keys.isEmpty()) {
      throw MachineAway.lasting("cannot be logged in to: there is no private key in " + file);
    }
    return keys;
  }

  private String open(String stored, String key) throws MachineAway {
    try {
      return secrets.open(stored, key);
    } catch (ProblemException e) {
      throw MachineAway.lasting("cannot be logged in to: " + e.problem().detail());
    }
  }

  private static MachineAway unreachable(Exception e, Attempt attempt, boolean connected) {
    String objection = attempt.objection().get();
    if (objection != null) {
      return MachineAway.lasting(objection);
    }
    String said = causes(e).stream().map(cause -> String.valueOf(cause.getMessage())).toList() + "";
    if (said.contains("No more authentication methods")) {
      Login login = attempt.login();
      return MachineAway.lasting(
          "refuses the login of "
              + login.user()
              + (login.password() != null
                  ? ": the password is wrong, or passwords are not allowed there"
                  : ": none of the keys is one of its authorized_keys"));
    }
    for (Throwable cause : causes(e)) {
      if (cause instanceof UnresolvedAddressException || cause instanceof UnknownHostException) {
        return MachineAway.passing(
            "cannot be found: its name " + attempt.login().host() + " does not resolve");
      }
      if (cause instanceof ConnectException) {
        return MachineAway.passing("cannot be reached: " + cause.getMessage());
      }
    }
    String message = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    return MachineAway.passing(
        (connected ? "hung up before the login: " : "cannot be reached: ") + message);
  }

  private static List<Throwable> causes(Throwable first) {
    List<Throwable> all = new ArrayList<>();
    for (Throwable each = first; each != null && all.size() < 10; each = each.getCause()) {
      all.add(each);
    }
    return all;
  }

  private static @Nullable Attempt attempt(Session session) {
    AttributeRepository context =
        session instanceof ClientSession own ? own.getConnectionContext() : null;
    return context == null ? null : context.getAttribute(ATTEMPT);
  }

  /**
   * Prefers key types that are known: else a machine might show a key of another type that is not
   * noted.
   */
  private static final class KnownTypesFirst implements SessionListener {
    @Override
    public void sessionNegotiationOptionsCreated(
        Session session, Map<KexProposalOption, String> proposal) {
      Attempt attempt = attempt(session);
      String offered = proposal.get(KexProposalOption.SERVERKEYS);
      if (attempt == null || attempt.types().isEmpty() || offered == null) {
        return;
      }
      Set<String> ordered = new LinkedHashSet<>();
      List<String> all = Arrays.asList(offered.split(","));
      all.stream()
          .filter(name -> attempt.types().contains(name) || isRsaOf(attempt.types(), name))
          .forEach(ordered::add);
      ordered.addAll(all);
      proposal.put(KexProposalOption.SERVERKEYS, String.join(",", ordered));
    }

    /** One RSA key signs in three ways. */
    private static boolean isRsaOf(Set<String> types, String name) {
      return types.contains("ssh-rsa") && name.startsWith("rsa-sha2-");
    }
  }

  @Override
  public void close() {
    client.stop();
  }
}
