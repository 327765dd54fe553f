package io.orrery.core.experiment;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import org.jspecify.annotations.Nullable;

/** The storage that the trials of an experiment share with the server, as in NNI. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
  @JsonSubTypes.Type(value = SharedStorageSpec.Nfs.class, name = "nfs"),
  @JsonSubTypes.Type(value = SharedStorageSpec.Blob.class, name = "blob")
})
public sealed interface SharedStorageSpec {
  /**
   * A directory of an NFS server, or any other that is mounted here and where trials run.
   *
   * @param local absolute; where it is on this machine
   * @param remote absolute; where it is on the machines of trials
   * @param mounts whether the server mounts it here, when it is not
   * @param server name or address; null when it is not needed
   * @param export the directory of that server; null when it is not needed
   */
  record Nfs(
      String local, String remote, boolean mounts, @Nullable String server, @Nullable String export)
      implements SharedStorageSpec {}

  /**
   * A container of Azure Blob Storage.
   *
   * @param key of the account, Base64, as the configuration stores it: sealed, or by reference
   */
  record Blob(String account, String key, String container) implements SharedStorageSpec {
    @Override
    public String toString() {
      return "Blob[" + account + "/" + container + "]";
    }
  }
}
