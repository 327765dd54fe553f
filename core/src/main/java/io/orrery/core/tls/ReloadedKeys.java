package io.orrery.core.tls;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/** A key manager that asks the one that was set last. */
final class ReloadedKeys extends X509ExtendedKeyManager {
  private volatile @Nullable X509ExtendedKeyManager keys;

  void set(@Nullable X509ExtendedKeyManager fresh) {
    keys = fresh;
  }

  @Override
  public String @Nullable [] getClientAliases(String type, Principal @Nullable [] issuers) {
    X509ExtendedKeyManager now = keys;
    return now == null ? null : now.getClientAliases(type, issuers);
  }

  @Override
  public @Nullable String chooseClientAlias(
      String[] types, Principal @Nullable [] issuers, @Nullable Socket socket) {
    X509ExtendedKeyManager now = keys;
    return now == null ? null : now.chooseClientAlias(types, issuers, socket);
  }

  @Override
  public @Nullable String chooseEngineClientAlias(
      String[] types, Principal @Nullable [] issuers, SSLEngine engine) {
    X509ExtendedKeyManager now = keys;
    return now == null ? null : now.chooseEngineClientAlias(types, issuers, engine);
  }

  @Override
  public String @Nullable [] getServerAliases(String type, Principal @Nullable [] issuers) {
    X509ExtendedKeyManager now = keys;
    return now == null ? null : now.getServerAliases(type, issuers);
  }

  @Override
  public @Nullable String chooseServerAlias(
      String type, Principal @Nullable [] issuers, @Nullable Socket socket) {
    X509ExtendedKeyManager now = keys;
    return now == null ? null : now.chooseServerAlias(type, issuers, socket);
  }

  @Override
  public @Nullable String chooseEngineServerAlias(
      String type, Principal @Nullable [] issuers, SSLEngine engine) {
    X509ExtendedKeyManager now = keys;
    return now == null ? null : now.chooseEngineServerAlias(type, issuers, engine);
  }

  @Override
  public X509Certificate @Nullable [] getCertificateChain(String alias) {
    X509ExtendedKeyManager now = keys;
    return now == null ? null : now.getCertificateChain(alias);
  }

  @Override
  public @Nullable PrivateKey getPrivateKey(String alias) {
    X509ExtendedKeyManager now = keys;
    return now == null ? null : now.getPrivateKey(alias);
  }
}
