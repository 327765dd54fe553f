package io.orrery.studio.service;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A server of models that a type of service names: the command and the files with which its usual
 * image serves the model of a document that has no command. {@code $model_name}, {@code
 * $model_path} and {@code $digits} stand for the model.
 *
 * <p>The command is a script that is the same for every model. What a document says goes to it as
 * arguments, so nothing of it is read by the shell.
 */
record ModelServer(List<String> command, Map<String, String> files) {
  /** The arguments after the script: model, name, digits of the version, and two directories. */
  private static final List<String> ARGUMENTS =
      List.of("sh", "$model_path", "$model_name", "$digits", "/models", "/config");

  private static final String TENSORFLOW =
      """
      set -e
      mkdir -p "$4/$2/$3"
      cp -R "$1"/. "$4/$2/$3/"
      exec tensorflow_model_server --port=8500 --rest_api_port=8501 \\
        --model_config_file="$5/models.config" --monitoring_config_file="$5/monitoring.config" \\
        --platform_config_file="$5/platform.config"
      """;

  private static final String TORCH =
      """
      set -e
      mkdir -p "$4"
      archive=$1
      if [ -d "$1" ]; then
        for archive in "$1"/*.mar; do :; done
      fi
      case $archive in
        *'/*.mar') archive= ;;
      esac
      case $archive in
        *.mar) ;;
        *) echo "$1 is no .mar archive: make one with torch-model-archiver, or give a command" >&2
          exit 1 ;;
      esac
      cp "$archive" "$4/$2.mar"
      exec torchserve --start --foreground --model-store "$4" --models "$2=$2.mar" \\
        --ts-config "$5/config.properties"
      """;

  /** The one model file of a directory, or the model itself. */
  private static final String FIND =
      """
      set -e
      model=$1
      if [ -d "$1" ] && [ ! -e "$1/saved_model.pb" ]; then
        for file in "$1"/*.onnx "$1"/*.plan "$1"/*.pt "$1"/*.pth; do
          if [ -f "$file" ]; then model=$file; fi
        done
      fi
      """;

  private static final String ONNX =
      FIND
          + """
          exec ./onnxruntime_server --http_port 8001 --model_path "$model"
          """;

  private static final String TRITON =
      FIND
          + """
          case $model in
            *.onnx) platform=onnxruntime_onnx file=model.onnx ;;
            *.plan) platform=tensorrt_plan file=model.plan ;;
            *.pt|*.pth) platform=pytorch_libtorch file=model.pt ;;
            *) platform=tensorflow_savedmodel file=model.savedmodel ;;
          esac
          mkdir -p "$4/$2/$3"
          if [ -d "$model" ]; then
            mkdir -p "$4/$2/$3/$file"
            cp -R "$model"/. "$4/$2/$3/$file/"
          else
            cp "$model" "$4/$2/$3/$file"
          fi
          if [ -f "$5/config.pbtxt" ]; then
            cp "$5/config.pbtxt" "$4/$2/config.pbtxt"
          else
            printf 'name: "%s"\\nplatform: "%s"\\n' "$2" "$platform" > "$4/$2/config.pbtxt"
          fi
          exec tritonserver --model-repository="$4"
          """;

  private static final String MODELS_CONFIG =
      """
      model_config_list: {
        config: {
          name: "$model_name",
          base_path: "/models/$model_name/",
          model_platform: "tensorflow",
          model_version_policy: { specific: { versions: $digits } }
        }
      }
      """;

  private static final String MONITORING_CONFIG =
      """
      prometheus_config: {
        enable: true,
        path: "/metrics"
      }
      """;

  private static final String PLATFORM_CONFIG =
      """
      platform_configs {
        key: "tensorflow"
        value {
          source_adapter_config {
            [type.googleapis.com/tensorflow.serving.SavedModelBundleSourceAdapterConfig] {
              legacy_config {
                session_config {
                  gpu_options { allow_growth: true }
                }
              }
            }
          }
        }
      }
      """;

  private static final String TORCH_CONFIG =
      """
      inference_address=http://0.0.0.0:8080
      management_address=http://0.0.0.0:8081
      metrics_address=http://0.0.0.0:8082
      cors_allowed_origin=*
      cors_allowed_methods=GET, POST, PUT, OPTIONS
      cors_allowed_headers=*
      number_of_netty_threads=32
      job_queue_size=1000
      default_response_timeout=120
      max_request_size=6553500
      disable_token_authorization=true
      """;

  /** The server of a type; null when its programs are of any kind. */
  static @Nullable ModelServer of(ServiceType type) {
    return switch (type) {
      case INTERNAL, SERVING -> null;
      case TFSERVING ->
          of(
              TENSORFLOW,
              Map.of(
                  "models.config", MODELS_CONFIG,
                  "monitoring.config", MONITORING_CONFIG,
                  "platform.config", PLATFORM_CONFIG));
      case TORCH_SERVER -> of(TORCH, Map.of("config.properties", TORCH_CONFIG));
      case ONNXRUNTIME -> of(ONNX, Map.of());
      case TRITON_SERVER -> of(TRITON, Map.of());
    };
  }

  private static ModelServer of(String script, Map<String, String> files) {
    List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", script));
    command.addAll(ARGUMENTS);
    return new ModelServer(List.copyOf(command), files);
  }
}
