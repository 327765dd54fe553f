package io.orrery.benchmarks.router.peer;

/** The protocols of clients and of endpoints in a scenario; each pair has proxies of its own. */
public enum ProtocolPair {
  /** HTTP/1.1 on both sides. */
  PLAIN("plain", false, false),
  /** HTTP/1.1 over TLS 1.3 from clients, HTTP/1.1 to endpoints. */
  TLS("tls", true, false),
  /** HTTP/2 over TLS 1.3 from clients, HTTP/1.1 to endpoints. */
  H2("h2", true, true),
  /** Unary calls of gRPC: HTTP/2 without TLS on both sides. */
  GRPC("grpc", false, true),
  /** Answers of HTTP/1.1 that are streams of events, in chunks. */
  EVENTS("events", false, false),
  /** HTTP/1.1 from clients, HTTP/1.1 over TLS 1.3 to endpoints. */
  TLS_ENDPOINTS("tls-endpoints", false, false);

  private final String word;
  private final boolean tls;
  private final boolean http2;

  ProtocolPair(String word, boolean tls, boolean http2) {
    this.word = word;
    this.tls = tls;
    this.http2 = http2;
  }

  /** The name in folders and keys. */
  public String word() {
    return word;
  }

  /** Whether clients use TLS. */
  public boolean tls() {
    return tls;
  }

  /** Whether clients use HTTP/2. */
  public boolean http2() {
    return http2;
  }

  /** Whether a client that is not ours has to ask. */
  public boolean wantsH2load() {
    return tls || http2;
  }
}
