package io.orrery.compute.catalog;

import static java.lang.classfile.ClassFile.ACC_PUBLIC;
import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_String;
import static java.lang.constant.ConstantDescs.INIT_NAME;
import static java.lang.constant.ConstantDescs.MTD_void;
import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.compute.service.TrainingServiceFactory;
import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Loads jars that the present compiler would not make. */
class PlatformJarsTest {
  private static final ClassDesc OLD = ClassDesc.of("example.Old");

  @TempDir private Path folder;

  /** A factory whose only method is the one that gives its name. */
  private static byte[] old() {
    return ClassFile.of()
        .build(
            OLD,
            made ->
                made.withFlags(ACC_PUBLIC)
                    .withInterfaceSymbols(ClassDesc.of(TrainingServiceFactory.class.getName()))
                    .withMethodBody(
                        INIT_NAME,
                        MTD_void,
                        ACC_PUBLIC,
                        code ->
                            code.aload(0).invokespecial(CD_Object, INIT_NAME, MTD_void).return_())
                    .withMethodBody(
                        "platform",
                        MethodTypeDesc.of(CD_String),
                        ACC_PUBLIC,
                        code -> code.loadConstant("old").areturn()));
  }

  private static void put(JarOutputStream jar, String name, byte[] content) throws IOException {
    jar.putNextEntry(new JarEntry(name));
    jar.write(content);
    jar.closeEntry();
  }

  @Test
  void aJarThatWasCompiledAgainstAnotherVersionIsNotLoadedAndItsMissingMethodIsNamed()
      throws Exception {
    Path jar = folder.resolve("old.jar");
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
      put(out, "example/Old.class", old());
      put(
          out,
          "META-INF/services/" + TrainingServiceFactory.class.getName(),
          "example.Old".getBytes());
    }

    assertThat(PlatformJars.of(folder))
        .singleElement()
        .satisfies(loaded -> {
          assertThat(loaded.factory()).isNull();
          assertThat(loaded.fault())
              .isEqualTo(
                  "cannot be used: it was compiled against another version, and has no"
                      + " check(JobSpec)");
        });
  }
}
