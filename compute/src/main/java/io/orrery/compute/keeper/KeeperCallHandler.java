package io.orrery.compute.keeper;

import io.orrery.compute.keeper.AttemptStore.Seen;
import io.orrery.compute.keeper.KeeperPresence.KeeperRef;
import io.orrery.compute.keeper.KeeperRegistry.Claim;
import io.orrery.compute.keeper.KeeperRegistry.End;
import io.orrery.compute.service.Keepers;
import io.orrery.core.bus.contract.TrialKeepers;
import io.orrery.core.bus.contract.TrialKeepers.Appended;
import io.orrery.core.bus.contract.TrialKeepers.Call;
import io.orrery.core.bus.contract.TrialKeepers.Done;
import io.orrery.core.bus.contract.TrialKeepers.Reply;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Takes what keepers say, for the owner of their experiment: everything is on the disk before it is
 * answered, and told to the platform. Confined to one event loop.
 */
final class KeeperCallHandler {
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final AttemptStore shelf;
  private final KeeperPresence presence;
  private final Followers followers;
  private final Clock clock;
  private final Supplier<List<String>> servers;

  /**
   * @param servers the URLs of those that take such calls; none where there is one server only
   */
  KeeperCallHandler(
      AttemptStore shelf, KeeperPresence presence, Clock clock, Supplier<List<String>> servers) {
    this.shelf = shelf;
    this.presence = presence;
    this.followers = presence.followers();
    this.clock = clock;
    this.servers = servers;
  }

  Future<? extends Reply> take(Call call) {
    return switch (call) {
      case TrialKeepers.Start start -> start(start);
      case TrialKeepers.Beat beat -> beat(beat);
      case TrialKeepers.AppendLog log -> log(log);
      case TrialKeepers.AppendOutput output -> output(output);
      case TrialKeepers.End end -> end(end);
      case TrialKeepers.AskWork asked -> work(asked);
      case TrialKeepers.AppendLine line -> line(line);
      case TrialKeepers.Note note -> note(note);
    };
  }

  private Future<Done> start(TrialKeepers.Start start) {
    Claim claim = new Claim(start.instance(), start.primary(), clock.now());
    KeeperRef seat = new KeeperRef(start.attempt(), KeeperRegistry.keeper(start.keeper()));
    return shelf
        .add(
            start.attempt(),
            (files, allowance) -> files.register().claim(seat.keeper(), claim, allowance))
        .map(held -> {
          presence.take(seat, held);
          followers.tell(seat.attempt(), seat.keeper(), new Seen(held, null).running());
          return new Done();
        });
  }

  private Future<TrialKeepers.Orders> beat(TrialKeepers.Beat beat) {
    return seat(beat.attempt(), beat.keeper(), beat.instance())
        .compose(claim ->
            shelf.onDisk(() ->
                new TrialKeepers.Orders(
                    shelf.known(beat.attempt()).register().isCanceled(), servers.get())));
  }

  private Future<Appended> log(TrialKeepers.AppendLog log) {
    return seat(log.attempt(), log.keeper())
        .compose(claim ->
            shelf.add(
                log.attempt(),
                (files, allowance) ->
                    new Appended(
                        files.append(
                            log.keeper(),
                            claim.primary(),
                            log.stream(),
                            log.offset(),
                            log.bytes(),
                            allowance))));
  }

  private Future<Appended> output(TrialKeepers.AppendOutput output) {
    return seat(output.attempt(), output.keeper())
        .compose(claim ->
            shelf.add(
                output.attempt(),
                (files, allowance) ->
                    new Appended(
                        files.append(
                            output.keeper(),
                            claim.primary(),
                            output.path(),
                            output.offset(),
                            output.size(),
                            output.bytes(),
                            allowance))));
  }

  private Future<Done> end(TrialKeepers.End end) {
    KeeperRef seat = new KeeperRef(end.attempt(), KeeperRegistry.keeper(end.keeper()));
    End told = new End(end.instance(), end.exitCode(), end.reason(), clock.now());
    return seat(end.attempt(), end.keeper(), end.instance())
        .compose(claim ->
            shelf
                .onDisk(() -> shelf.known(end.attempt()).register().end(end.keeper(), told))
                .map(stands -> {
                  presence.leave(seat);
                  followers.tell(end.attempt(), end.keeper(), new Seen(claim, stands).state());
                  return new Done();
                }));
  }

  /** An environment asks the server that has made it what it is to start. */
  private Future<TrialKeepers.Work> work(TrialKeepers.AskWork asked) {
    AttemptRef environment = asked.environment();
    return seat(environment, asked.keeper(), asked.instance())
        .compose(claim -> {
          Keepers.Offers offers = presence.offers(environment);
          return offers == null
              ? Future.failedFuture(
                  new Problem.Busy("its platform has not taken it up yet", PAUSE).toException())
              : offers.take(asked.number(), Set.copyOf(asked.running()), asked.ended());
        })
        .map(offers ->
            new TrialKeepers.Work(
                offers.stream()
                    .map(offer ->
                        new TrialKeepers.Order(
                            offer.key(), offer.launch().environment(), offer.launch().token()))
                    .toList()));
  }

  private Future<Done> line(TrialKeepers.AppendLine line) {
    return shelf.add(
        line.attempt(),
        (files, allowance) -> {
          files.append(line.stream(), line.text(), allowance);
          return new Done();
        });
  }

  private Future<Done> note(TrialKeepers.Note note) {
    followers.note(note.attempt(), note.text());
    return Future.succeededFuture(new Done());
  }

  /** A keeper's place, for the process that has it; Conflict when another one has. */
  private Future<Claim> seat(AttemptRef attempt, String name, String instance) {
    return seat(attempt, name)
        .compose(claim ->
            claim.instance().equals(instance)
                ? Future.succeededFuture(claim)
                : Future.failedFuture(
                    new Problem.Conflict("Another process runs this attempt.").toException()));
  }

  /** Returns the claim on a keeper's place; NotFound when it is free. */
  private Future<Claim> seat(AttemptRef attempt, String name) {
    KeeperRef seat = new KeeperRef(attempt, KeeperRegistry.keeper(name));
    Claim known = presence.at(seat);
    if (known != null) {
      followers.heard(attempt, name);
      return Future.succeededFuture(known);
    }
    return shelf
        .onDisk(() -> {
          KeptFiles files = shelf.files(attempt);
          Claim claim = files.register().claimOf(name);
          if (claim == null) {
            throw new Problem.NotFound("No keeper " + name + " of this attempt has started.")
                .toException();
          }
          return new Seen(claim, files.register().end(name));
        })
        .map(found -> {
          if (found.end() == null) {
            presence.take(seat, found.claim());
          }
          followers.heard(attempt, name);
          return found.claim();
        });
  }
}
