package io.orrery.core.process;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The variables of the server's environment that a foreign Python program gets. It gets no others,
 * because they may hold secrets.
 */
public final class PythonEnvironment {
  private static final Set<String> NEEDED =
      Set.of(
          "PATH",
          "HOME",
          "USER",
          "LOGNAME",
          "LANG",
          "LANGUAGE",
          "TZ",
          "TMPDIR",
          "LD_LIBRARY_PATH",
          "VIRTUAL_ENV",
          "PYTHONPATH",
          "PYTHONHOME");

  private static final List<String> NEEDED_KINDS =
      List.of("LC_", "CONDA_", "PYENV_", "OMP_", "MKL_", "OPENBLAS_", "CUDA_", "NVIDIA_");

  private PythonEnvironment() {}

  /** The part of an environment that may be passed on, in a map of its own. */
  public static Map<String, String> of(Map<String, String> whole) {
    Map<String, String> part = new TreeMap<>();
    whole.forEach((name, value) -> {
      if (NEEDED.contains(name) || NEEDED_KINDS.stream().anyMatch(name::startsWith)) {
        part.put(name, value);
      }
    });
    return part;
  }
}
