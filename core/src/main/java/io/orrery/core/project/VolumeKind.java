package io.orrery.core.project;

import java.util.Arrays;
import java.util.Optional;

/** The kind of a volume, which says what the source of a mount names. */
public enum VolumeKind {
  /** A claim, of which users see their own sub-directory only, at {@code <path>/<user>}. */
  PVC("pvc"),
  /** A claim that is mounted whole, for all users of it. */
  PVC_SHARE("pvc-share"),
  /** A claim of an external store, mounted whole. */
  STORAGE("storage"),
  /** A directory or file of the node, mounted whole. */
  HOSTPATH("hostpath"),
  /** Memory of a given size, such as {@code 4G}. */
  MEMORY("memory"),
  /** The entries of a ConfigMap as files. */
  CONFIGMAP("configmap"),
  /** The entries of a Secret as files. */
  SECRET("secret");

  private final String word;

  VolumeKind(String word) {
    this.word = word;
  }

  /** The word in the text of a mount, as {@code pvc-share}. */
  public String word() {
    return word;
  }

  /** Whether the source of a mount is the name of a claim. */
  public boolean isClaim() {
    return this == PVC || this == PVC_SHARE || this == STORAGE;
  }

  /** The kind with a word; empty when there is none. Words are in small letters only. */
  public static Optional<VolumeKind> of(String word) {
    return Arrays.stream(values()).filter(kind -> kind.word.equals(word)).findFirst();
  }
}
