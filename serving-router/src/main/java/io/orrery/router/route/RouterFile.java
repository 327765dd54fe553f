package io.orrery.router.route;

import io.orrery.core.config.ConfigKey;
import io.orrery.core.digest.Sha256;
import io.orrery.core.json.Document;
import io.orrery.core.problem.Finding;
import io.orrery.core.route.PortRange;
import io.orrery.core.tls.PemFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The file that configures a router which runs alone.
 *
 * @param listen where clients come in
 * @param admin where operators come in
 * @param follow the certificates for the server that is followed; null for those of Java
 * @param accessLog null for none
 * @param domain what every host ends with
 * @param table its services; null when the file says nothing of them
 */
public record RouterFile(
    Listen listen,
    Admin admin,
    String domain,
    @Nullable PemFiles follow,
    @Nullable AccessLog accessLog,
    @Nullable RouteTable table) {
  public static final String DEFAULT_DOMAIN = "orrery.localhost";
  static final String LOOPBACK = "127.0.0.1";
  private static final int MOST_LOOPS = 64;

  /**
   * An address to listen at.
   *
   * @param port 0 for any that is free
   */
  public record Address(String host, int port) {}

  /**
   * The operators' port.
   *
   * @param sha256 of the token that it asks for; null for none
   */
  public record Admin(Address address, @Nullable String sha256) {}

  /**
   * The addresses and options with which a router listens.
   *
   * @param loops event loops; 0 for half of the cores
   * @param tls empty for plain HTTP
   * @param fastPath whether plain HTTP/1.1 is forwarded as bytes
   * @param reusePort whether a successor may listen at the same ports before this one has left
   * @param limits of what clients can make it hold
   * @param tcp where it listens for services that are reached by a port
   */
  public record Listen(
      Address address,
      int loops,
      List<Tls> tls,
      boolean fastPath,
      boolean reusePort,
      ClientLimits limits,
      TcpListen tcp) {
    static final boolean FAST_PATH = true;
    static final boolean REUSE_PORT = false;

    public Listen {
      tls = List.copyOf(tls);
    }

    public Listen(Address address, int loops, List<Tls> tls, ClientLimits limits, TcpListen tcp) {
      this(address, loops, tls, FAST_PATH, REUSE_PORT, limits, tcp);
    }

    public Listen(Address address, int loops, List<Tls> tls, boolean fastPath, boolean reusePort) {
      this(address, loops, tls, fastPath, reusePort, ClientLimits.standard(), TcpListen.STANDARD);
    }

    public Listen(Address address, int loops, List<Tls> tls) {
      this(address, loops, tls, FAST_PATH, REUSE_PORT);
    }
  }

  /**
   * A certificate, and the hosts that it is shown for.
   *
   * @param hosts names, or {@code *.} and a name; empty for those that no other one is for
   */
  public record Tls(List<String> hosts, Path certificate, Path key) {
    public Tls {
      hosts = List.copyOf(hosts);
    }
  }

  /**
   * The choice of requests that are written to the access log.
   *
   * @param percent 0 to 100
   * @param file null for the standard output
   */
  public record AccessLog(double percent, @Nullable Path file) {}

  /**
   * Reads it.
   *
   * @param directory what relative paths are relative to
   * @throws io.orrery.core.problem.ProblemException Refused, with all findings
   */
  public static RouterFile read(String text, Path directory) {
    Document document = Document.read(text);
    List<Finding> findings = new ArrayList<>();
    Section root =
        Section.of(
            document.root(),
            "",
            findings,
            List.of("listen", "admin", "domain", "follow", "accessLog", "services"));
    Section listen =
        root.section(
            "listen", "host", "port", "loops", "tls", "fastPath", "reusePort", "limits", "tcp");
    Section admin = root.section("admin", "host", "port", "sha256");
    String domain = root.text("domain", DEFAULT_DOMAIN);
    if (!domain.matches("[a-z0-9_][-a-z0-9_]*(\\.[a-z0-9_][-a-z0-9_]*)*")) {
      root.refuse(
          "domain", "a domain is a lower-case name such as example.com; not '" + domain + "'");
    }
    RouterFile file =
        new RouterFile(
            new Listen(
                address(listen, 8000),
                listen.integer("loops", 0, 0, MOST_LOOPS),
                listen.list(
                    "tls",
                    (node, place) ->
                        tls(
                            Section.of(
                                node, place, findings, List.of("hosts", "certificate", "key")),
                            directory)),
                listen.flag("fastPath", Listen.FAST_PATH),
                listen.flag("reusePort", Listen.REUSE_PORT),
                limits(listen),
                tcp(listen.section("tcp", "host", "ports"))),
            new Admin(address(admin, 8001), sha256(admin)),
            domain,
            root.has("follow")
                ? follow(root.section("follow", "certificate", "key", "authority"), directory)
                : null,
            root.has("accessLog")
                ? accessLog(root.section("accessLog", "sample", "file"), directory)
                : null,
            root.has("services") ? RouteReader.read(document, root, domain, findings) : null);
    RouteReader.refuse(document, findings);
    return file;
  }

  private static Address address(Section section, int port) {
    return new Address(section.text("host", LOOPBACK), section.integer("port", port, 0, 65535));
  }

  private static @Nullable String sha256(Section admin) {
    String digest = admin.text("sha256");
    if (digest != null && !Sha256.isHex(digest)) {
      admin.refuse(
          "sha256",
          "sha256 is what 'orrery token create NAME' prints for a token, 64 digits of 0-9 and a-f");
    }
    return digest;
  }

  private static ClientLimits limits(Section listen) {
    String[] keys = LimitKeys.ALL.stream().map(ConfigKey::name).toArray(String[]::new);
    return LimitKeys.read(listen.section("limits", keys)::find);
  }

  private static TcpListen tcp(Section section) {
    return new TcpListen(
        section.text("host", TcpListen.STANDARD.host()),
        section.measure(
            "ports",
            TcpListen.STANDARD.ports(),
            PortRange::parse,
            found -> true,
            "is " + PortRange.FORM));
  }

  private static Tls tls(Section section, Path directory) {
    for (String key : List.of("certificate", "key")) {
      if (!section.has(key)) {
        section.refuse(key, "TLS needs both: certificate and key, each a PEM file");
      }
    }
    return new Tls(
        section.texts("hosts"),
        directory.resolve(section.text("certificate", "")),
        directory.resolve(section.text("key", "")));
  }

  private static PemFiles follow(Section section, Path directory) {
    if (section.has("certificate") != section.has("key")) {
      section.refuse(
          section.has("key") ? "certificate" : "key",
          "a certificate needs both: certificate and key, each a PEM file");
    }
    return new PemFiles(
        "/follow",
        file(section, directory, "certificate"),
        file(section, directory, "key"),
        file(section, directory, "authority"));
  }

  private static @Nullable Path file(Section section, Path directory, String key) {
    String file = section.text(key);
    return file == null ? null : directory.resolve(file);
  }

  private static AccessLog accessLog(Section section, Path directory) {
    String file = section.text("file");
    return new AccessLog(
        section.percent("sample", 1), file == null ? null : directory.resolve(file));
  }
}
