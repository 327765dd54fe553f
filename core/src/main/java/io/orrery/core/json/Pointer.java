package io.orrery.core.json;

/** Builds JSON pointers (RFC 6901) from the outside in. */
public final class Pointer {
  private Pointer() {}

  /** The pointer to a member of the object at {@code parent}. */
  public static String child(String parent, String key) {
    return parent + "/" + key.replace("~", "~0").replace("/", "~1");
  }

  /** The pointer to an element of the array at {@code parent}. */
  public static String child(String parent, int index) {
    return parent + "/" + index;
  }

  /** {@code trainingService.gpuIndices} for {@code /trainingService/gpuIndices}. */
  public static String dotted(String pointer) {
    return pointer.substring(1).replace('/', '.');
  }
}
