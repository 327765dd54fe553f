package io.orrery.kubernetes;

import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.vertx.core.MultiMap;
import java.net.URI;

/** The headers that the library puts on a request, such as credentials. */
record RequestStamp(MultiMap headers) implements BasicBuilder {
  @Override
  public RequestStamp uri(URI elsewhere) {
    return this;
  }

  @Override
  public RequestStamp header(String name, String value) {
    headers.add(name, value);
    return this;
  }

  @Override
  public RequestStamp setHeader(String name, String value) {
    headers.set(name, value);
    return this;
  }
}
