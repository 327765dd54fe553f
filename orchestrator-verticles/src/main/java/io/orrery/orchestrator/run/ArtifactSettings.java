package io.orrery.orchestrator.run;

import io.orrery.orchestrator.objects.BlobSettings;
import io.orrery.orchestrator.s3.S3Settings;
import java.nio.file.Path;

/** A choice of the operator: where artifacts of runs are kept. */
public sealed interface ArtifactSettings {
  /** A directory below the server's home. */
  record Home() implements ArtifactSettings {}

  /** A directory that the operator names, such as that of a mounted file system. */
  record Directory(Path path) implements ArtifactSettings {}

  /** A bucket of an S3 store. */
  record Bucket(S3Settings bucket) implements ArtifactSettings {}

  /** A container of Azure Blob Storage. */
  record Container(BlobSettings container) implements ArtifactSettings {}
}
