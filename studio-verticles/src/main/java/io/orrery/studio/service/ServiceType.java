package io.orrery.studio.service;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The type of a service: the defaults for what its document leaves out. {@code $model_name} and
 * {@code $digits} stand for the model and the digits of its version.
 */
enum ServiceType {
  /** A program of any kind. */
  INTERNAL("internal"),

  /** A program of any kind that serves a model. */
  SERVING("serving"),

  /** TensorFlow Serving. */
  TFSERVING("tfserving"),

  /** TorchServe. */
  TORCH_SERVER("torch-server"),

  /** ONNX Runtime Server. */
  ONNXRUNTIME("onnxruntime"),

  /** NVIDIA Triton. */
  TRITON_SERVER("triton-server");

  private final String word;

  ServiceType(String word) {
    this.word = word;
  }

  String word() {
    return word;
  }

  /** The ports, the one for requests first; empty when there is no usual one. */
  List<Integer> ports() {
    return switch (this) {
      case INTERNAL, SERVING -> List.of();
      case TFSERVING -> List.of(8501);
      case TORCH_SERVER -> List.of(8080, 8081);
      case ONNXRUNTIME -> List.of(8001);
      case TRITON_SERVER -> List.of(8000, 8002);
    };
  }

  /** The check by HTTP; null for a TCP connection. */
  @Nullable String health() {
    return switch (this) {
      case INTERNAL, SERVING, ONNXRUNTIME -> null;
      case TFSERVING -> "8501:/v1/models/$model_name/versions/$digits/metadata";
      case TORCH_SERVER -> "8080:/ping";
      case TRITON_SERVER -> "8000:/v2/health/ready";
    };
  }

  /** The endpoint for Prometheus; null when there is no usual one. */
  @Nullable String metrics() {
    return switch (this) {
      case INTERNAL, SERVING, ONNXRUNTIME -> null;
      case TFSERVING -> "8501:/metrics";
      case TORCH_SERVER -> "8082:/metrics";
      case TRITON_SERVER -> "8002:/metrics";
    };
  }

  Map<String, String> environment() {
    return switch (this) {
      case TFSERVING -> Map.of("TF_CPP_VMODULE", "http_server=1");
      case INTERNAL, SERVING, TORCH_SERVER, ONNXRUNTIME, TRITON_SERVER -> Map.of();
    };
  }

  static List<String> words() {
    return Arrays.stream(values()).map(ServiceType::word).toList();
  }
}
