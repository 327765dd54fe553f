// Keys of the top level that few need, as option-fields takes them. A test compares their names with the schema of
// experiment files.

const WHOLE = "whole number";
const TRUTH = "`true` or `false`";

export const option = (name, type, meaning, more = {}) => ({ name, type, meaning, required: false, default: null, words: [], options: [], ...more });

export const FURTHER_SETTINGS = [
  option("seed", WHOLE, "the seed of the search: the same seed makes the same suggestions"),
  option("maxFailuresInRow", WHOLE, "how many trials may fail one after the other before it ends"),
  option("priority", WHOLE, "0 to 100: whose trials are handed to a platform first", { default: 50 }),
  option("weight", "number", "its share among experiments of the same priority", { default: 1 }),
  option("quota", WHOLE, "the most trials in flight"),
  option("transfer", "text", "whether Auto learns from earlier experiments of the project", { default: "off", words: ["auto", "off"] }),
  option("cost", "text", "what trials cost, which Auto takes into account: duration, or a metric they report"),
  option("multiPhase", TRUTH, "whether a trial may ask for one parameter set after another"),
  option("multiThread", TRUTH, "whether a tuner of your own makes each parameter set in a thread of its own"),
  option("readEventFiles", TRUTH, "whether TensorBoard files of trials are read into their metrics"),
  option("nniManagerIp", "text", "the address that trials on other machines call back"),
  option("retry", "section, below", "when a trial is run again", {
    options: [
      option("attempts", WHOLE, "how many runs a trial may have", { default: 1 }),
      option("backoff", "time", "the pause before the second run; it doubles with every further one", { default: "10s" }),
      option("on", "list of: one of `failed`, `lost`", "what is worth another run: failed, lost, or both", { default: "failed, lost" }),
    ],
  }),
  option("metricRetention", "section, below", "how long intermediate results are kept", {
    options: [
      option("intermediate", "time", "how long every intermediate result is kept", { required: true }),
      option("rollup", WHOLE, "about how many of each metric of a trial are left of what is older", { default: 1000 }),
    ],
  }),
  option("sharedStorage", "section, below", "storage that trials elsewhere share with the server", {
    options: [
      option("storageType", "text", "a mounted directory, or a container of Azure Blob Storage", { required: true, words: ["NFS", "AzureBlob"] }),
      option("localMountPoint", "directory", "where it is mounted on the server's machine"),
      option("remoteMountPoint", "text", "where it is mounted on the trials' machines"),
      option("localMounted", "text", "who mounts it on the server's machine", { words: ["usermount", "nnimount", "nomount"] }),
      option("nfsServer", "text", "name or address of the NFS server"),
      option("exportedDirectory", "text", "the directory that the NFS server exports"),
      option("storageAccountName", "text", "the Azure storage account"),
      option("storageAccountKey", "secret", "its key: env:NAME, file:/path, or the key"),
      option("containerName", "text", "its container"),
    ],
  }),
];
