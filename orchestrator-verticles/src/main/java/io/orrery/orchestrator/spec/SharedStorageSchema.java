package io.orrery.orchestrator.spec;

import io.orrery.core.schema.Field;
import io.orrery.core.schema.Schema;
import io.orrery.core.schema.ValueType;
import java.util.List;

/** The schema of the storage that the machines of a remote platform share. */
final class SharedStorageSchema {
  private static final ValueType TEXT = new ValueType.Text();

  static final Schema SCHEMA =
      Schema.of(
          Field.of(
                  "storageType",
                  new ValueType.Word(List.of("NFS", "AzureBlob")),
                  "a mounted directory, or a container of Azure Blob Storage")
              .asRequired(),
          Field.of(
              "localMountPoint",
              new ValueType.Directory(false),
              "where it is mounted on this machine"),
          Field.of("remoteMountPoint", TEXT, "where it is mounted on the trials' machines"),
          Field.of(
              "localMounted",
              new ValueType.Word(List.of("usermount", "nnimount", "nomount")),
              "who mounts it on this machine"),
          Field.of("nfsServer", TEXT, "name or address of the NFS server"),
          Field.of("exportedDirectory", TEXT, "the directory that the NFS server exports"),
          Field.of("storageAccountName", TEXT, "the Azure storage account"),
          Field.of(
              "storageAccountKey", new ValueType.Secret(), "the key of the Azure storage account"),
          Field.of("containerName", TEXT, "the container of the Azure storage account"));

  private SharedStorageSchema() {}
}
