package io.orrery.router.proxy;

/** A router with one service, which is asked byte by byte. */
abstract class WireFixture extends RouterIT {
  static final String HOST = "Host: a.service.orrery.localhost\r\n";

  final Upstream echo() throws Exception {
    return opened(
        Upstream.start(
            vertx,
            request ->
                request
                    .body()
                    .onSuccess(body -> request.response().end(request.uri() + " " + body))));
  }

  final void routeTo(String address) {
    route("  - {name: a, endpoints: [\"" + address + "\"]}\n");
  }

  final double handedOver() {
    return metric("orrery_router_handed_over_total");
  }
}
