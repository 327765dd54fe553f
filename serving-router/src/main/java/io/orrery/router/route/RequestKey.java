package io.orrery.router.route;

import java.util.Locale;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/** The part of a request that keeps it with one target, or has a rate of its own. */
public sealed interface RequestKey {
  /** The key of a request; null when it has none, and then chance decides. */
  @Nullable String of(RequestFacts request);

  /** A header; lower case. */
  record Header(String name) implements RequestKey {
    public Header {
      name = name.toLowerCase(Locale.ROOT);
    }

    @Override
    public @Nullable String of(RequestFacts request) {
      return request.header(name);
    }
  }

  /** A cookie. */
  record Cookie(String name) implements RequestKey {
    @Override
    public @Nullable String of(RequestFacts request) {
      return request.cookie(name);
    }
  }

  /**
   * The beginning of the path.
   *
   * @param segments how many of its parts count, from 1; a shorter path counts whole
   */
  record PathPrefix(int segments) implements RequestKey {
    @Override
    public String of(RequestFacts request) {
      String path = request.path();
      int end = 0;
      for (int i = 0; i < segments && end >= 0; i++) {
        end = path.indexOf('/', end + 1);
      }
      return end < 0 ? path : path.substring(0, end);
    }
  }

  /**
   * The beginning of the body. It is known only of a body that is at hand whole before an endpoint
   * is asked; any other request has no such key.
   *
   * @param bytes how many of them count, from 1 to {@link #MOST_BYTES}; a shorter body counts whole
   */
  record BodyPrefix(int bytes) implements RequestKey {
    /** As many as a body may have that is gathered before an endpoint is asked. */
    public static final int MOST_BYTES = 64 * 1024;

    @Override
    public @Nullable String of(RequestFacts request) {
      return null;
    }

    /**
     * The key of a body; null for one without a byte.
     *
     * @param byteAt the byte at a place from 0
     */
    public @Nullable String of(IntUnaryOperator byteAt, int length) {
      return length == 0 ? null : Hashes.text(byteAt, Math.min(length, bytes));
    }
  }

  /** The address of the client. */
  record Client() implements RequestKey {
    @Override
    public String of(RequestFacts request) {
      return request.client().text();
    }
  }
}
