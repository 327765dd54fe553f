package io.orrery.core.bus;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.bus.LocalHandlers.LocalHandler;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class BusTest {
  record Question(String text) {}

  record Reply(String text, int length) {}

  record News(int number) {}

  private static final Address<Question, Reply> ECHO =
      new Address<>("test.echo", Question.class, Reply.class);
  private static final Topic<News> NEWS = new Topic<>("test.news", News.class);

  private final Vertx vertx = Vertx.vertx();
  private final Bus bus = Bus.of(vertx);

  @AfterEach
  void close() throws Exception {
    success(vertx.close());
  }

  private static <T> T success(Future<T> future) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
  }

  private static Problem failure(Future<?> future) throws Exception {
    return Problem.of(
        success(
            future.transform((value, failure) ->
                failure == null
                    ? Future.failedFuture("answered with " + value)
                    : Future.succeededFuture(failure))));
  }

  private void serve(Function<Question, Future<Reply>> handler) throws Exception {
    success(bus.serve(ECHO, handler));
  }

  @Test
  void aQuestionIsAnswered() throws Exception {
    serve(question -> Future.succeededFuture(new Reply(question.text(), question.text().length())));

    assertThat(success(bus.request(ECHO, new Question("four")))).isEqualTo(new Reply("four", 4));
  }

  @Test
  void theAddressOfAnOwnerIsAnAddressOfItsOwn() throws Exception {
    success(bus.serve(ECHO.of("a"), question -> Future.succeededFuture(new Reply("a", 1))));
    success(bus.serve(ECHO.of("b"), question -> Future.succeededFuture(new Reply("b", 1))));

    assertThat(success(bus.request(ECHO.of("a"), new Question("?"))).text()).isEqualTo("a");
    assertThat(success(bus.request(ECHO.of("b"), new Question("?"))).text()).isEqualTo("b");
    assertThat(failure(bus.request(ECHO, new Question("?")))).isInstanceOf(Problem.Broken.class);
  }

  @Test
  void whoIsNotEntitledAnyMoreGivesNoAnswer() throws Exception {
    AtomicBoolean entitled = new AtomicBoolean(true);
    Promise<Reply> answer = Promise.promise();
    success(bus.entitledBy(entitled::get).serve(ECHO, question -> answer.future()));
    Future<Reply> asked = bus.request(ECHO, new Question("who is it?"));

    entitled.set(false);
    answer.complete(new Reply("me", 2));

    assertThat(failure(asked)).isInstanceOf(Problem.Busy.class);
    entitled.set(true);
    assertThat(success(bus.request(ECHO, new Question("?"))).text()).isEqualTo("me");
  }

  @Test
  void whatOneThreadTellsArrivesInItsOrderAndOnTheContextThatServes() throws Exception {
    List<String> told = new ArrayList<>();
    List<Context> where = new ArrayList<>();
    Promise<List<String>> all = Promise.promise();
    Context home = vertx.getOrCreateContext();
    Promise<Void> served = Promise.promise();
    home.runOnContext(there ->
        bus.serve(
                ECHO,
                word -> {
                  told.add(word.text());
                  where.add(vertx.getOrCreateContext());
                  if (told.size() == 100) {
                    all.complete(told);
                  }
                  return Future.failedFuture("no handler gets this");
                })
            .<Void>mapEmpty()
            .onComplete(served));
    success(served.future());

    for (int i = 0; i < 100; i++) {
      assertThat(bus.tellHere(ECHO, new Question(Integer.toString(i)))).isTrue();
    }

    assertThat(success(all.future()))
        .isEqualTo(IntStream.range(0, 100).mapToObj(Integer::toString).toList());
    assertThat(where).hasSize(100).containsOnly(home);
  }

  @Test
  void whoWatchesSeesOrdersAndWhatCameOfThemAndNoNews() throws Exception {
    BlockingQueue<String> seen = new LinkedBlockingQueue<>();
    Vertx watched = Vertx.vertx();
    try {
      Bus open =
          Bus.of(
              watched,
              (call, failure, nanos) -> seen.add(call + (failure == null ? "" : " failed")));
      success(
          open.serve(
              ECHO.of("a"),
              word ->
                  word.text().isEmpty()
                      ? Future.failedFuture("nothing was said")
                      : Future.succeededFuture(new Reply("", 0))));

      open.tellHere(ECHO.of("a"), new Question("news"));
      open.orderHere(ECHO.of("a"), new Question("something"));
      open.orderHere(ECHO.of("a"), new Question(""));

      assertThat(seen.poll(10, TimeUnit.SECONDS)).isEqualTo("test.echo");
      assertThat(seen.poll(10, TimeUnit.SECONDS)).isEqualTo("test.echo failed");
      assertThat(open.orderHere(ECHO.of("b"), new Question("?"))).isFalse();
    } finally {
      success(watched.close());
    }
  }

  @Test
  void aPublisherLearnsThatThereIsNoSubscriber() throws Exception {
    assertThat(bus.tellHere(ECHO, new Question("?"))).isFalse();

    success(success(bus.serve(ECHO, word -> Future.succeededFuture(new Reply("", 0)))).cancel());
    assertThat(bus.tellHere(ECHO, new Question("?"))).isFalse();

    serve(word -> Future.succeededFuture(new Reply("", 0)));
    success(vertx.close());
    assertThat(bus.tellHere(ECHO, new Question("?"))).isFalse();
  }

  static List<Problem> problems() {
    return List.of(
        new Problem.Refused("two", List.of(new Finding("/a", "b", 1), new Finding("/c", "d"))),
        new Problem.NotFound("gone"),
        new Problem.Conflict("not now"),
        new Problem.Unauthorized("who"),
        new Problem.Forbidden("no"),
        new Problem.TooLarge("big"),
        new Problem.Busy("full", Duration.ofSeconds(3)),
        new Problem.Broken("ours"));
  }

  @ParameterizedTest
  @MethodSource("problems")
  void aProblemArrivesAsItself(Problem problem) throws Exception {
    serve(question -> Future.failedFuture(problem.toException()));

    assertThat(failure(bus.request(ECHO, new Question("?")))).isEqualTo(problem);
  }

  @Test
  void aRequestWithoutAHandlerIsBroken() throws Exception {
    Future<Reply> asked = bus.request(ECHO, new Question("?"));

    assertThat(failure(asked)).isEqualTo(new Problem.Broken("no handler serves test.echo"));
    assertThat(Bus.isUnserved(asked.cause())).isTrue();
    assertThat(Bus.isNowhere(asked.cause())).isTrue();
  }

  @Test
  void anAddressThatOtherServersMayServeIsNotNowhere() {
    Throwable away =
        new ProblemException(
            new Problem.Unavailable("away", Duration.ofSeconds(2)),
            new ReplyException(ReplyFailure.NO_HANDLERS));

    assertThat(Bus.isUnserved(away)).isTrue();
    assertThat(Bus.isNowhere(away)).isFalse();
  }

  @Test
  void aHandlerThatThrowsIsBroken() throws Exception {
    serve(question -> {
      throw new IllegalStateException("bug");
    });

    assertThat(failure(bus.request(ECHO, new Question("?"))))
        .isEqualTo(new Problem.Broken("IllegalStateException: bug"));
  }

  @Test
  void aHandlerThatThrowsAnErrorIsBrokenAtOnce() throws Exception {
    serve(question -> {
      throw new StackOverflowError("deep");
    });

    assertThat(failure(bus.request(ECHO, new Question("?"))))
        .isEqualTo(new Problem.Broken("StackOverflowError: deep"));
  }

  @Test
  void aQuestionOfTheWrongTypeIsBrokenAtOnce() throws Exception {
    serve(question -> Future.succeededFuture(new Reply("", 0)));

    Problem problem =
        failure(bus.request(new Address<>("test.echo", News.class, Reply.class), new News(1)));

    assertThat(problem).isInstanceOf(Problem.Broken.class);
    assertThat(problem.detail()).startsWith("ClassCastException");
  }

  @Test
  void aCancelledSubscriptionServesNoLonger() throws Exception {
    Bus.Subscription subscription =
        success(bus.serve(ECHO, question -> Future.succeededFuture(new Reply("", 0))));
    success(bus.request(ECHO, new Question("?")));

    success(subscription.cancel());

    assertThat(failure(bus.request(ECHO, new Question("?")))).isInstanceOf(Problem.Broken.class);
  }

  @Test
  void aHandlerIsForgottenWithItsVerticle() throws Exception {
    Promise<Context> served = Promise.promise();
    String verticle =
        success(
            vertx.deployVerticle(
                new VerticleBase() {
                  @Override
                  public Future<?> start() {
                    return bus.serve(
                        ECHO,
                        question -> {
                          served.tryComplete(Vertx.currentContext());
                          return Future.succeededFuture(new Reply("", 0));
                        });
                  }
                }));
    success(bus.request(ECHO, new Question("?")));
    assertThat(success(served.future()).deploymentID()).isEqualTo(verticle);

    success(vertx.undeploy(verticle));

    assertThat(failure(bus.request(ECHO, new Question("?"))))
        .isEqualTo(new Problem.Broken("no handler serves test.echo"));
  }

  @Test
  void thoseOfOneAddressTakeTurns() throws Exception {
    serve(question -> Future.succeededFuture(new Reply("one", 1)));
    serve(question -> Future.succeededFuture(new Reply("two", 2)));

    List<String> answers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      answers.add(success(bus.request(ECHO, new Question("?"))).text());
    }

    assertThat(answers).containsExactly("one", "two", "one", "two");
  }

  @Test
  void anAnswerOfTheWrongTypeIsBroken() throws Exception {
    serve(question -> Future.succeededFuture(new Reply("", 0)));

    Address<Question, News> mistaken = new Address<>("test.echo", Question.class, News.class);
    assertThat(failure(bus.request(mistaken, new Question("?"))))
        .isInstanceOf(Problem.Broken.class);
  }

  @Test
  void aQuestionThatIsForgottenIsGivenUpAndAYoungerOneIsNot() throws Exception {
    Promise<Reply> late = Promise.promise();
    LocalHandlers neighbours = new LocalHandlers(vertx, Duration.ofSeconds(60));
    LocalHandler forgetful =
        new LocalHandler(vertx.getOrCreateContext(), question -> late.future(), () -> true);
    Future<Reply> first = neighbours.ask(forgetful, ECHO, new Question("?"));
    long asked = System.nanoTime();

    neighbours.giveUp(asked + Duration.ofSeconds(59).toNanos());
    assertThat(first.isComplete()).isFalse();
    neighbours.giveUp(asked + Duration.ofSeconds(60).toNanos());

    assertThat(failure(first))
        .isEqualTo(new Problem.Broken("test.echo gave no answer within 60 s"));
    Future<Reply> second = neighbours.ask(forgetful, ECHO, new Question("?"));
    late.complete(new Reply("late", 4));
    assertThat(success(second)).isEqualTo(new Reply("late", 4));
  }

  @Test
  void anAddressThatWaitsLongerIsGivenUpLaterAndKeepsNoOther() throws Exception {
    LocalHandlers neighbours = new LocalHandlers(vertx, Duration.ofSeconds(60));
    LocalHandler forgetful =
        new LocalHandler(
            vertx.getOrCreateContext(), question -> Promise.promise().future(), () -> true);
    Future<Reply> slow =
        neighbours.ask(forgetful, ECHO.waiting(Duration.ofMinutes(30)), new Question("?"));
    Future<Reply> usual = neighbours.ask(forgetful, ECHO, new Question("?"));
    long asked = System.nanoTime();

    neighbours.giveUp(asked + Duration.ofSeconds(60).toNanos());
    assertThat(failure(usual)).isInstanceOf(Problem.Broken.class);
    assertThat(slow.isComplete()).isFalse();
    neighbours.giveUp(asked + Duration.ofMinutes(30).toNanos());

    assertThat(failure(slow))
        .isEqualTo(new Problem.Broken("test.echo gave no answer within 1800 s"));
  }

  @Test
  void theAnswerComesBackOnTheContextThatAsked() throws Exception {
    serve(question -> Future.succeededFuture(new Reply("", 0)));
    Promise<Boolean> same = Promise.promise();
    vertx.runOnContext(go -> {
      Context asking = vertx.getOrCreateContext();
      bus.request(ECHO, new Question("?"))
          .map(reply -> Vertx.currentContext() == asking)
          .onComplete(same);
    });

    assertThat(success(same.future())).isTrue();
  }

  @Test
  void allThatListenHearWhatIsPublishedUntilTheyStop() throws Exception {
    BlockingQueue<News> one = new LinkedBlockingQueue<>();
    BlockingQueue<News> two = new LinkedBlockingQueue<>();
    bus.listen(NEWS, one::add);
    Bus.Subscription second = bus.listen(NEWS, two::add);
    bus.listen(NEWS.of("other"), news -> two.add(new News(-1)));

    bus.publish(NEWS, new News(1));
    assertThat(one.poll(10, TimeUnit.SECONDS)).isEqualTo(new News(1));
    assertThat(two.poll(10, TimeUnit.SECONDS)).isEqualTo(new News(1));

    success(second.cancel());
    bus.publish(NEWS, new News(2));
    assertThat(one.poll(10, TimeUnit.SECONDS)).isEqualTo(new News(2));
    assertThat(two).isEmpty();
  }
}
