package io.orrery.gateway.page;

import io.orrery.core.problem.Problem;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.GzipAnswer;
import io.orrery.gateway.http.PlainPage;
import io.orrery.gateway.http.RouteNeed;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The files of the page: {@code /}, {@code /assets/DIGEST/…} (its own files) and {@code /lib/…}
 * (the libraries that it imports). Every file is read once, when it is first asked for, and stays
 * in memory plain and packed; the address of each but the page itself contains its version, so
 * browsers keep it.
 */
public final class PageApi implements Api {
  private static final String FOR_EVER = "public, max-age=31536000, immutable";
  private static final String ASSETS = "/assets/:digest/";
  private static final String LIBRARIES = "/lib/";

  private final Map<String, Future<Asset>> libraries = new HashMap<>();
  private @Nullable Future<PageFiles> files;

  @Override
  public void mount(ApiRouter router) {
    router.file("/", RouteNeed.CALLER, context -> page(context).onFailure(context::fail));
    router.file(
        PlainPage.STYLE_PATH, RouteNeed.OPEN, context -> plain(context, PageFiles::plainStyle));
    router.file(PlainPage.THEME_PATH, RouteNeed.OPEN, context -> plain(context, PageFiles::theme));
    router.file(ASSETS + "*", RouteNeed.CALLER, context -> asset(context).onFailure(context::fail));
    router.file(
        LIBRARIES + "*", RouteNeed.CALLER, context -> library(context).onFailure(context::fail));
  }

  private Future<Void> page(RoutingContext context) {
    return files(context.vertx())
        .compose(page -> {
          HttpServerResponse response = context.response();
          String tag = "\"" + page.digest() + "\"";
          response
              .putHeader(HttpHeaders.ETAG, tag)
              .putHeader(HttpHeaders.CACHE_CONTROL, "no-cache")
              .putHeader("Content-Security-Policy", page.policy());
          return tag.equals(context.request().getHeader(HttpHeaders.IF_NONE_MATCH))
              ? response.setStatusCode(304).end()
              : send(context, page.index());
        });
  }

  /** A file of the login and the reference, whose address says nothing of its version. */
  private void plain(RoutingContext context, Function<PageFiles, Asset> choice) {
    context.response().putHeader(HttpHeaders.CACHE_CONTROL, "no-cache");
    files(context.vertx())
        .compose(page -> send(context, choice.apply(page)))
        .onFailure(context::fail);
  }

  private Future<Void> asset(RoutingContext context) {
    String digest = context.pathParam("digest");
    String name = context.pathParam("*");
    return files(context.vertx())
        .compose(page -> {
          Asset asset = page.files().get(name);
          // Bytes of this version under the address of another would be kept for ever.
          if (asset == null || !page.digest().equals(digest)) {
            throw new Problem.NotFound("The page has no such file in this version: reload it.")
                .toException();
          }
          context.response().putHeader(HttpHeaders.CACHE_CONTROL, FOR_EVER);
          return send(context, asset);
        });
  }

  private Future<Void> library(RoutingContext context) {
    String path = context.pathParam("*");
    Future<Asset> known = libraries.get(path);
    if (known == null) {
      known =
          blocking(context.vertx(), () -> Libraries.read(path))
              .onSuccess(asset -> libraries.put(path, Future.succeededFuture(asset)));
    }
    return known.compose(asset -> {
      context.response().putHeader(HttpHeaders.CACHE_CONTROL, FOR_EVER);
      return send(context, asset);
    });
  }

  private Future<PageFiles> files(Vertx vertx) {
    if (files == null || files.failed()) {
      files = blocking(vertx, PageFiles::read);
    }
    return files;
  }

  private static <T> Future<T> blocking(Vertx vertx, Callable<T> reading) {
    return vertx.executeBlocking(reading, false);
  }

  private static Future<Void> send(RoutingContext context, Asset asset) {
    HttpServerResponse response = context.response();
    boolean packed = GzipAnswer.accepted(context.request().headers());
    if (packed) {
      response.putHeader(HttpHeaders.CONTENT_ENCODING, GzipAnswer.NAME);
    }
    Buffer body = packed ? asset.packed() : asset.plain();
    return response
        .putHeader(HttpHeaders.VARY, "Accept-Encoding")
        .putHeader(HttpHeaders.CONTENT_TYPE, asset.type())
        .putHeader(HttpHeaders.CONTENT_LENGTH, Integer.toString(body.length()))
        .end(body);
  }
}
