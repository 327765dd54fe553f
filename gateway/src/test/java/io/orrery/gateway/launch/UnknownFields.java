package io.orrery.gateway.launch;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * Finds the keys of a Kubernetes object that its API does not have: the client's classes take them,
 * as additional properties, where the API server would drop or refuse them.
 */
final class UnknownFields {
  private final List<String> found = new ArrayList<>();

  private UnknownFields() {}

  /** The paths of unknown keys. */
  static List<String> of(Object object) throws ReflectiveOperationException {
    UnknownFields unknown = new UnknownFields();
    unknown.look(object, object.getClass().getSimpleName());
    return unknown.found;
  }

  private void look(Object value, String at) throws ReflectiveOperationException {
    switch (value) {
      case Collection<?> list -> {
        for (Object element : list) {
          look(element, at + "[]");
        }
      }
      case Map<?, ?> map -> {
        for (Map.Entry<?, ?> entry : map.entrySet()) {
          look(entry.getValue(), at + "." + entry.getKey());
        }
      }
      case null -> {}
      default -> {
        if (value.getClass().getName().startsWith("io.fabric8.kubernetes.api.model.")) {
          properties(value, at);
        }
      }
    }
  }

  private void properties(Object value, String at) throws ReflectiveOperationException {
    for (Method getter : value.getClass().getMethods()) {
      String name = getter.getName();
      if (!name.startsWith("get") || getter.getParameterCount() > 0 || name.equals("getClass")) {
        continue;
      }
      if (name.equals("getAdditionalProperties")) {
        ((Map<?, ?>) getter.invoke(value)).keySet().forEach(key -> found.add(at + "." + key));
      } else if (!name.startsWith("getFull") && !name.equals("getPlural")) {
        look(getter.invoke(value), at + "." + name.substring(3));
      }
    }
  }
}
