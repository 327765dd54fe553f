package io.orrery.router.proxy;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.support.ParameterDeclarations;

/** A test of the router whose clients can be those of {@link Way#BYTES_OVER_TLS} as well. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@interface AlsoOverTls {
  /** The ways of a test class. */
  final class Ways implements ArgumentsProvider {
    @Override
    public Stream<? extends Arguments> provideArguments(
        ParameterDeclarations parameters, ExtensionContext context) {
      boolean tls = context.getRequiredTestClass().isAnnotationPresent(AlsoOverTls.class);
      return Arrays.stream(Way.values()).filter(way -> tls || !way.overTls()).map(Arguments::of);
    }
  }
}
