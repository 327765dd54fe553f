package io.orrery.orchestrator.spec;

/** Experiments for clusters, as the manuals of NNI have them in both forms, and a template. */
final class ClusterFiles {
  static final String V1 =
      """
      authorName: default
      experimentName: mnist
      trialConcurrency: 2
      maxExecDuration: 1h
      maxTrialNum: 10
      searchSpacePath: space.json
      useAnnotation: false
      tuner: {builtinTunerName: TPE, classArgs: {optimize_mode: maximize}}
      """;

  static final String V3 =
      """
      trialConcurrency: 2
      searchSpaceFile: space.json
      tuner: {name: TPE, classArgs: {optimize_mode: maximize}}
      """;

  static final String TENSORFLOW =
      V1
          + """
          trainingServicePlatform: kubeflow
          trial:
            codeDir: .
            worker:
              replicas: 2
              command: python3 dist_mnist.py
              gpuNum: 1
              cpuNum: 2
              memoryMB: 8196
              image: msranni/nni:latest
              privateRegistryAuthPath: config.json
            ps:
              replicas: 1
              command: python3 serve.py
              gpuNum: 0
              cpuNum: 1
              memoryMB: 4096
              image: msranni/nni:ps
          kubeflowConfig:
            operator: tf-operator
            apiVersion: v1
            storage: nfs
            nfs: {server: 10.10.10.10, path: /var/nfs/nni}
          """;

  static final String PYTORCH =
      V3
          + """
          trainingService:
            platform: kubeflow
            operator: pytorch-operator
            apiVersion: v1
            namespace: team
            serviceAccountName: trainer
            nniManagerIp: 10.0.0.7
            storage: {storageType: azureStorage, azureAccount: acct, azureShare: share, keyVaultName: kv, keyVaultKey: k}
            master: {replicas: 1, command: python3 a.py, gpuNumber: 1, cpuNumber: 1, memorySize: 2gb, dockerImage: torch:1}
            worker: {replicas: 3, command: python3 b.py, dockerImage: torch:1, codeDirectory: other}
            podTemplate: {spec: {nodeSelector: {disk: ssd}}}
            ttlSecondsAfterFinished: 5
          """;

  static final String FRAMEWORK =
      V3
          + """
          trainingService:
            platform: frameworkcontroller
            serviceAccountName: frameworkbarrier
            storage: {storageType: pvc, claimName: outputs}
            taskRoles:
              - {name: worker, taskNumber: 2, command: python3 a.py, gpuNumber: 1, cpuNumber: 1, memorySize: 8gb,
                 dockerImage: tf:1, frameworkAttemptCompletionPolicy: {minFailedTaskCount: 2, minSucceedTaskCount: 1}}
              - {name: ps, taskNumber: 1, command: python3 b.py, dockerImage: tf:1}
          """;

  static final String BY_TEMPLATE =
      V1
          + """
          trainingServicePlatform: frameworkcontroller
          trial: {codeDir: .}
          frameworkcontrollerConfig: {configPath: framework.yml}
          """;

  static final String CLAIM = "configPath: framework.yml, storage: pvc, pvc: {path: ";

  /** A Framework of a user of FrameworkController without NNI. */
  static final String TEMPLATE =
      """
      apiVersion: frameworkcontroller.microsoft.com/v1
      kind: Framework
      metadata: {name: mine}
      spec:
        executionType: Start
        retryPolicy: {fancyRetryPolicy: true, maxRetryCount: 2}
        taskRoles:
          - name: worker
            taskNumber: 2
            frameworkAttemptCompletionPolicy: {minFailedTaskCount: 1, minSucceededTaskCount: 2}
            task:
              retryPolicy: {fancyRetryPolicy: false, maxRetryCount: 1}
              pod:
                metadata: {labels: {team: blue}}
                spec:
                  restartPolicy: OnFailure
                  serviceAccountName: frameworkbarrier
                  hostNetwork: true
                  tolerations: [{key: gpu, operator: Exists}]
                  containers:
                    - name: tensorflow
                      image: tf:2
                      command: [sh, -c, "python3 train.py --fast"]
                      resources: {limits: {cpu: 2, memory: 4Gi, nvidia.com/gpu: 1}}
                      volumeMounts: [{name: data, mountPath: /data}]
                  volumes: [{name: data, hostPath: {path: /data}}]
          - name: ps
            task:
              pod:
                spec:
                  containers: [{name: x, image: tf:2, command: [python3], args: ["serve it.py"]}]
      """;

  static final String ADAPTIVE =
      V1
          + """
          trainingServicePlatform: adl
          trial:
            command: python3 a.py
            codeDir: /workspace
            gpuNum: 1
            image: adl:1
            cpuNum: 2
            memorySize: 4Gi
            namespace: team
            adaptive: true
            checkpoint: {storageClass: fast, storageSize: 2Gi}
            imagePullSecrets: [{name: registry}]
            nfs: {server: 10.0.0.9, path: /data, containerMountPath: /nfs}
          """;

  private ClusterFiles() {}
}
