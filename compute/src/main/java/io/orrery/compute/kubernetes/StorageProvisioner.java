package io.orrery.compute.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.compute.attempt.Background;
import io.orrery.compute.azure.FileShares;
import io.orrery.compute.azure.KeyVault;
import io.orrery.compute.kubernetes.Storage.Vaulted;
import io.orrery.core.bus.contract.TrainingServices.Item;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.json.Json;
import io.orrery.kubernetes.Cluster;
import io.orrery.kubernetes.ResourceType;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Map;

/**
 * Makes the storage of experiments ready, and looks whether it is there. A claim or an NFS server
 * is the cluster's business; a share whose key is in a Key Vault is ours: the key is fetched, the
 * share is made, and a Secret of the experiment lets the cluster mount it. Blocks.
 */
final class StorageProvisioner {
  private static final String WHAT = "storage";
  private static final int NFS_PORT = 2049;
  private static final int PATIENCE_MILLIS = 3_000;

  private final KeyVault vault;
  private final FileShares shares;

  StorageProvisioner(KeyVault vault, FileShares shares) {
    this.vault = vault;
    this.shares = shares;
  }

  /**
   * Sees to it that a share is there; may be repeated. Asks Azure as often as the share says.
   *
   * @return the key of its account
   */
  String open(Vaulted share) throws Exception {
    return Background.patiently(
        share.tries(),
        () -> {
          String key = vault.secret(share.vault(), share.secret());
          shares.create(share.account(), key, share.share());
          return key;
        });
  }

  /** Gives a cluster the key of a share; may be repeated. */
  void grant(Vaulted share, String key, ExperimentId experiment, String platform, Cluster cluster) {
    ObjectNode secret = Json.MAPPER.createObjectNode();
    secret.put("apiVersion", "v1").put("kind", "Secret").put("type", "Opaque");
    ObjectNode labels =
        secret
            .putObject("metadata")
            .put("name", Storage.secretName(experiment))
            .putObject("labels");
    Labels.of(platform, experiment).forEach(labels::put);
    secret
        .putObject("stringData")
        .put("azurestorageaccountname", share.account())
        .put("azurestorageaccountkey", key);
    cluster.apply(ResourceType.SECRET, secret);
  }

  /** Whether it is there, as far as that can be seen from here. */
  Item check(Storage storage, Cluster cluster) {
    Vaulted vaulted = storage.vaulted();
    if (vaulted != null) {
      return vaulted(vaulted, storage.url());
    }
    Map.Entry<String, JsonNode> source = storage.source().properties().iterator().next();
    return switch (source.getKey()) {
      case "nfs" -> nfs(storage.url(), source.getValue().path("server").asText());
      case "persistentVolumeClaim" -> claim(cluster, source.getValue().path("claimName").asText());
      default ->
          Item.doubtful(
              WHAT,
              storage.url() + " by the Secret " + source.getValue().path("secretName").asText(),
              "only a pod can tell whether it opens the share");
    };
  }

  private Item vaulted(Vaulted share, String url) {
    String key = vault.secret(share.vault(), share.secret());
    return shares.exists(share.account(), key, share.share())
        ? Item.good(WHAT, url + ", its key from the Key Vault " + share.vault())
        : Item.good(WHAT, url + " will be made; its key is in the Key Vault " + share.vault());
  }

  private static Item nfs(String url, String server) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(server, NFS_PORT), PATIENCE_MILLIS);
      return Item.good(WHAT, url + " answers, as seen from here");
    } catch (IOException e) {
      return Item.doubtful(
          WHAT,
          url + " does not answer, as seen from here: " + e.getMessage(),
          "it is the nodes that mount it: check the server's name, its exports and its firewall");
    }
  }

  private static Item claim(Cluster cluster, String name) {
    JsonNode claim = cluster.find(ResourceType.CLAIM, name);
    if (claim == null) {
      return Item.bad(
          WHAT, "there is no claim " + name, "create it, or name another one: claimName");
    }
    String phase = claim.at("/status/phase").asText("Pending");
    String modes =
        claim.at("/spec/accessModes").valueStream().map(JsonNode::asText).toList().toString();
    String found = "the claim " + name + " is " + phase + ", " + modes;
    return modes.contains("ReadWriteMany") || modes.contains("ReadWriteOnce")
        ? phase.equals("Lost")
            ? Item.bad(WHAT, found, "its volume is gone: make another one")
            : Item.good(WHAT, found)
        : Item.bad(WHAT, found, "trials write there: it needs ReadWriteMany");
  }
}
