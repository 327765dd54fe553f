package io.orrery.compute.remote;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.compute.section.CommonKeys;
import io.orrery.compute.section.OlderSection;
import io.orrery.compute.section.ServiceSection;
import io.orrery.core.schema.Field;
import io.orrery.core.schema.Schema;
import io.orrery.core.schema.ValueType;
import io.orrery.core.schema.Walk;

/** The section of trials on machines that are reached by SSH. */
public final class RemoteSection implements ServiceSection {
  private static final ValueType TEXT = new ValueType.Text();
  private static final ValueType FLAG = new ValueType.Flag();

  public static final Schema MACHINE =
      Schema.of(
          Field.of("host", TEXT, "name or address").asRequired(),
          Field.of("port", new ValueType.Whole(1, 65_535), "where its SSH server listens").or(22),
          Field.of("user", TEXT, "whose account").asRequired(),
          Field.of(
              "password",
              new ValueType.Secret(),
              "env:NAME, file:/path, prompt:NAME to be asked, or the password"),
          Field.of(
              "sshKeyFile",
              new ValueType.File(),
              "a private key; the usual ones of ~/.ssh and those of the SSH agent when it is not"
                  + " set"),
          Field.of(
              "sshPassphrase",
              new ValueType.Secret(),
              "what opens the key: env:NAME, file:/path, prompt:NAME to be asked, or the"
                  + " passphrase"),
          Field.of("useActiveGpu", FLAG, "whether busy GPUs may be used").or(false),
          Field.of(
                  "maxTrialNumberPerGpu",
                  new ValueType.Whole(1, Integer.MAX_VALUE),
                  "how many trials may share a GPU")
              .or(1),
          Field.of("gpuIndices", new ValueType.GpuIndices(), "which GPUs may be used"),
          Field.of("pythonPath", TEXT, "a directory that comes first on PATH there"));

  public static final Schema SCHEMA =
      CommonKeys.SCHEMA.and(
          Schema.of(
              Field.of(
                      "machineList",
                      new ValueType.ListOf(new ValueType.Section(MACHINE)),
                      "the machines")
                  .asRequired(),
              Field.of(
                  "knownHosts",
                  new ValueType.File(),
                  "the host keys that are trusted; ~/.ssh/known_hosts when it is not set"),
              Field.of(
                      "trustOnFirstUse",
                      FLAG,
                      "whether an unknown machine is trusted and remembered")
                  .or(false),
              Field.of(
                      "awayLimit",
                      new ValueType.Span(),
                      "how long a machine may be away before its trials are given up")
                  .or(600),
              Field.of("reuseMode", FLAG, "whether environments serve one trial after another")
                  .or(false),
              Field.of(
                      "environmentIdle",
                      new ValueType.Span(),
                      "with reuseMode: how long an environment waits for another trial")
                  .or("2m")));

  @Override
  public String platform() {
    return "remote";
  }

  @Override
  public Schema schema() {
    return SCHEMA;
  }

  @Override
  public void complete(ObjectNode root, ObjectNode service, Walk walk) {
    new RemoteReader(walk).read(root, service);
  }

  @Override
  public OlderSection older() {
    return new OlderRemoteSection();
  }
}
