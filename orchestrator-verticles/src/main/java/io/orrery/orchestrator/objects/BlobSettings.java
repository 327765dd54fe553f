package io.orrery.orchestrator.objects;

/**
 * A container of Azure Blob Storage, as the configuration names it.
 *
 * @param endpoint the URL of the account's Blob Storage, without a trailing slash; that of an
 *     emulator ends with the name of the account
 * @param prefix what the names of all blobs begin with; empty, or ends with a slash
 * @param key the account's: {@code env:NAME}, {@code file:/path}, what a {@code SecretBox} has
 *     sealed, or itself
 */
public record BlobSettings(
    String endpoint, String account, String container, String prefix, String key) {
  /** Nothing of the key. */
  @Override
  public String toString() {
    return "BlobSettings[" + endpoint + "/" + container + "/" + prefix + "]";
  }
}
