package io.orrery.orchestrator.spec;

import io.orrery.core.schema.Field;
import io.orrery.core.schema.Schema;
import io.orrery.core.schema.ValueType;
import java.util.List;

/** The platforms on Kubernetes: what all of them take, and what each adds. */
final class ClusterSchemas {
  private static final ValueType TEXT = new ValueType.Text();
  private static final ValueType FLAG = new ValueType.Flag();
  private static final ValueType FILE = new ValueType.File();
  private static final ValueType COUNT = new ValueType.Whole(1, 10_000);
  private static final String NNI_IMAGE = "msranni/nni:latest";

  static final Schema STORAGE =
      Schema.of(
          Field.of(
                  "storageType",
                  new ValueType.Word(List.of("server", "nfs", "pvc", "azureStorage")),
                  "where outputs go besides the server")
              .or("server"),
          Field.of("server", TEXT, "name or address of the NFS server"),
          Field.of(
              "path",
              TEXT,
              "the directory that the NFS server exports; with pvc, one within the claim"),
          Field.of("claimName", TEXT, "the PersistentVolumeClaim"),
          Field.of("azureAccount", TEXT, "the Azure storage account"),
          Field.of("azureShare", TEXT, "the share of the Azure storage account"),
          Field.of(
              "azureSecretName",
              TEXT,
              "a Secret of the namespace with azurestorageaccountname and azurestorageaccountkey, instead of a Key Vault"),
          Field.of("keyVaultName", TEXT, "the Azure Key Vault"),
          Field.of("keyVaultKey", TEXT, "the secret of the Key Vault that is the account's key"),
          Field.of("uploadRetryCount", COUNT, "how often Azure is asked, while it has no time; 3"));

  /** What a pod is made of, without how many and what it runs. */
  private static Schema pod(String image) {
    return Schema.of(
        Field.of("dockerImage", TEXT, "the image of the container").or(image),
        Field.of("gpuNumber", new ValueType.Whole(0, 1_000), "GPUs of a pod; 0 hides them"),
        Field.of("cpuNumber", new ValueType.Above(0), "processors of a pod"),
        Field.of("memorySize", new ValueType.Size(), "memory of a pod, such as 2gb; in megabytes"),
        Field.of(
            "privateRegistryAuthPath",
            FILE,
            "a Docker config.json that opens the image's registry"));
  }

  private static final Field OWN_TEMPLATE =
      Field.of(
          "podTemplate",
          new ValueType.AnyObject(),
          "fields of the template of this role's pods, by strategic merge");

  static final Schema ROLE =
      Schema.of(
              Field.of("replicas", COUNT, "how many pods").or(1),
              Field.of("command", TEXT, "the shell command; trialCommand when it is not set"),
              Field.of("codeDirectory", new ValueType.Directory(true), "where its code lies"),
              OWN_TEMPLATE)
          .and(pod(NNI_IMAGE));

  private static final Field REPORTING =
      Field.of(
          "reportingRole",
          TEXT,
          "the role whose first pod reports and speaks for the trial; the chief, the master, or else the workers, of task roles the first");

  /** Before the kinds' own keys, so that they come first in lists. */
  private static final Schema CLUSTER =
      PlatformSchemas.COMMON.and(
          Schema.of(
              Field.of("namespace", TEXT, "the namespace; that of the context when it is not set"),
              Field.of(
                  "kubeconfig",
                  FILE,
                  "how to reach the cluster; KUBECONFIG, ~/.kube/config or the server's own pod when it is not set"),
              Field.of("context", TEXT, "the context of the kubeconfig"),
              Field.of(
                  "storage", new ValueType.Section(STORAGE), "where outputs go besides the server"),
              Field.of("serviceAccountName", TEXT, "the service account of the pods"),
              Field.of(
                  "podTemplate",
                  new ValueType.AnyObject(),
                  "fields of every pod's template, by strategic merge"),
              Field.of(
                      "ttlSecondsAfterFinished",
                      new ValueType.Whole(0, 31_536_000),
                      "how long a job that has ended stays in the cluster")
                  .or(3_600),
              Field.of("reuseMode", FLAG, "whether pods serve one trial after another").or(false),
              Field.of(
                      "environmentIdle",
                      new ValueType.Span(),
                      "with reuseMode: how long a pod waits for another trial")
                  .or("2m"),
              Field.of(
                      "maxTrialNumberPerGpu",
                      COUNT,
                      "with reuseMode: how many trials of a pod may share one of its GPUs")
                  .or(1)));

  static final Schema KUBERNETES = CLUSTER.and(pod("python:3"));

  static final Schema KUBEFLOW =
      CLUSTER.and(
          Schema.of(
              Field.of(
                      "operator",
                      new ValueType.Word(List.of("tf-operator", "pytorch-operator")),
                      "tf-operator or pytorch-operator")
                  .asRequired(),
              Field.of(
                      "apiVersion",
                      new ValueType.Word(List.of("v1alpha2", "v1beta1", "v1beta2", "v1")),
                      "the version of the operator's objects; another is taken where the cluster does not serve it")
                  .or("v1"),
              Field.of("chief", new ValueType.Section(ROLE), "TensorFlow's chief"),
              Field.of("master", new ValueType.Section(ROLE), "the master"),
              Field.of("worker", new ValueType.Section(ROLE), "the workers"),
              Field.of("ps", new ValueType.Section(ROLE), "TensorFlow's parameter servers"),
              Field.of("evaluator", new ValueType.Section(ROLE), "TensorFlow's evaluator"),
              REPORTING));

  static final Schema COMPLETION =
      Schema.of(
          Field.of(
              "minFailedTaskCount",
              new ValueType.Whole(-1, 10_000),
              "how many failed tasks fail the attempt; -1 for none"),
          Field.of(
              "minSucceedTaskCount",
              new ValueType.Whole(-1, 10_000),
              "how many tasks must succeed; -1 for all"));

  static final Schema TASK_ROLE =
      Schema.of(
              Field.of("name", TEXT, "lower-case letters and digits").asRequired(),
              Field.of("taskNumber", COUNT, "how many pods").or(1),
              Field.of("command", TEXT, "the shell command; trialCommand when it is not set"),
              Field.of(
                  "frameworkAttemptCompletionPolicy",
                  new ValueType.Section(COMPLETION),
                  "when the attempt is over"),
              OWN_TEMPLATE)
          .and(pod(NNI_IMAGE));

  static final Schema FRAMEWORKCONTROLLER =
      CLUSTER.and(
          Schema.of(
              Field.of(
                  "taskRoles",
                  new ValueType.ListOf(new ValueType.Section(TASK_ROLE)),
                  "the task roles"),
              Field.of(
                  "configPath",
                  FILE,
                  "a Framework written for FrameworkController, whose roles and pods are taken"),
              REPORTING));

  static final Schema CHECKPOINT =
      Schema.of(
          Field.of("storageClass", TEXT, "the storage class; the cluster's own when it is not set"),
          Field.of("storageSize", TEXT, "how much is claimed, such as 1Gi").or("1Gi"));

  static final Schema NFS =
      Schema.of(
          Field.of("server", TEXT, "name or address of the NFS server").asRequired(),
          Field.of("path", TEXT, "the directory that it exports").asRequired(),
          Field.of("containerMountPath", TEXT, "where pods see it").asRequired());

  static final Schema PULL_SECRET =
      Schema.of(Field.of("name", TEXT, "a Secret of the namespace").asRequired());

  static final Schema ADL =
      CLUSTER.and(
          Schema.of(
              Field.of("dockerImage", TEXT, "the image, with the trial's code").asRequired(),
              Field.of("codeDirectory", TEXT, "where the image has the code"),
              Field.of("gpuNumber", new ValueType.Whole(0, 1_000), "GPUs of a pod; 0 hides them"),
              Field.of("cpuNumber", new ValueType.Above(0), "processors of a pod").or(1),
              Field.of("memorySize", new ValueType.Size(), "memory of a pod; in megabytes")
                  .or("1gb"),
              Field.of("adaptive", FLAG, "whether a trial may be given other nodes while it runs")
                  .or(false),
              Field.of(
                  "checkpoint",
                  new ValueType.Section(CHECKPOINT),
                  "a claim for each trial's checkpoints; adaptive trials have one anyway"),
              Field.of("tensorboard", FLAG, "whether the experiment gets a TensorBoard").or(true),
              Field.of("nfs", new ValueType.Section(NFS), "a directory that pods mount"),
              Field.of(
                  "imagePullSecrets",
                  new ValueType.ListOf(new ValueType.Section(PULL_SECRET)),
                  "what opens the image's registry")));

  private ClusterSchemas() {}
}
