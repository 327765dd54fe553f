package io.orrery.compute.process;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Functions of the C library, and text as it wants it. */
@SuppressWarnings("restricted")
final class Libc {
  /**
   * Decodes as Java does file names and its own environment; where that is ASCII, for want of a
   * locale, as UTF-8.
   */
  private static final Charset NATIVE = encoding();

  private Libc() {}

  /** A function whose answer is an int: a value or an error number; null where there is none. */
  static @Nullable MethodHandle function(String name, MemoryLayout... parameters) {
    return Linker.nativeLinker()
        .defaultLookup()
        .find(name)
        .map(address ->
            Linker.nativeLinker()
                .downcallHandle(address, FunctionDescriptor.of(ValueLayout.JAVA_INT, parameters)))
        .orElse(null);
  }

  /** A text with its closing zero. */
  static MemorySegment text(Arena arena, String text) {
    byte[] bytes = text.getBytes(NATIVE);
    MemorySegment segment = arena.allocate(bytes.length + 1L);
    MemorySegment.copy(bytes, 0, segment, ValueLayout.JAVA_BYTE, 0, bytes.length);
    return segment;
  }

  /** An array of texts with its closing null, as {@code argv} and {@code envp} are. */
  static MemorySegment texts(Arena arena, List<String> texts) {
    byte[][] encoded = new byte[texts.size()][];
    long length = 0;
    for (int i = 0; i < encoded.length; i++) {
      encoded[i] = texts.get(i).getBytes(NATIVE);
      length += encoded[i].length + 1L;
    }
    // One piece of memory for all of them: an environment has a hundred.
    MemorySegment all = arena.allocate(length);
    MemorySegment array = arena.allocate(ValueLayout.ADDRESS, encoded.length + 1L);
    long at = 0;
    for (int i = 0; i < encoded.length; i++) {
      MemorySegment.copy(encoded[i], 0, all, ValueLayout.JAVA_BYTE, at, encoded[i].length);
      // An address as the number that it is on 64 bits: no segment for each.
      array.setAtIndex(ValueLayout.JAVA_LONG, i, all.address() + at);
      at += encoded[i].length + 1;
    }
    return array;
  }

  private static Charset encoding() {
    Charset java = Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"));
    return java.equals(StandardCharsets.US_ASCII) ? StandardCharsets.UTF_8 : java;
  }
}
