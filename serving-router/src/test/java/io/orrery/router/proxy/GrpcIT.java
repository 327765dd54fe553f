package io.orrery.router.proxy;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.grpc.CallOptions;
import io.grpc.ClientInterceptors;
import io.grpc.Grpc;
import io.grpc.InsecureServerCredentials;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A real gRPC client and a real gRPC server, with the router between them. */
class GrpcIT extends RouterIT {
  private static final Metadata.Key<String> REASON =
      Metadata.Key.of("x-reason", Metadata.ASCII_STRING_MARSHALLER);

  private static final MethodDescriptor<String, String> CHAT =
      method("Chat", MethodType.BIDI_STREAMING);
  private static final MethodDescriptor<String, String> COUNT =
      method("Count", MethodType.SERVER_STREAMING);
  private static final MethodDescriptor<String, String> FAIL = method("Fail", MethodType.UNARY);

  private final CompletableFuture<Void> cancelled = new CompletableFuture<>();
  private Server server;
  private ManagedChannel channel;

  /** Messages are plain text: what is in them is nothing to the router. */
  private enum Text implements MethodDescriptor.Marshaller<String> {
    UTF_8;

    @Override
    public InputStream stream(String value) {
      return new ByteArrayInputStream(value.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public String parse(InputStream stream) {
      try {
        return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static MethodDescriptor<String, String> method(String name, MethodType type) {
    return MethodDescriptor.newBuilder(Text.UTF_8, Text.UTF_8)
        .setType(type)
        .setFullMethodName("orrery.Echo/" + name)
        .build();
  }

  @BeforeEach
  void start() throws Exception {
    server =
        Grpc.newServerBuilderForPort(0, InsecureServerCredentials.create())
            .addService(
                ServerServiceDefinition.builder("orrery.Echo")
                    .addMethod(CHAT, ServerCalls.asyncBidiStreamingCall(this::chat))
                    .addMethod(COUNT, ServerCalls.asyncServerStreamingCall(GrpcIT::count))
                    .addMethod(FAIL, ServerCalls.asyncUnaryCall(GrpcIT::fail))
                    .build())
            .build()
            .start();
    route("  - {name: a, endpoints: [\"127.0.0.1:" + server.getPort() + "\"], protocol: h2c}\n");
    channel =
        ManagedChannelBuilder.forAddress("127.0.0.1", router.port())
            .overrideAuthority("a.service." + DOMAIN)
            .usePlaintext()
            .build();
  }

  @AfterEach
  void stop() throws Exception {
    channel.shutdownNow().awaitTermination(5, SECONDS);
    server.shutdownNow().awaitTermination(5, SECONDS);
  }

  private StreamObserver<String> chat(StreamObserver<String> answers) {
    ((ServerCallStreamObserver<String>) answers).setOnCancelHandler(() -> cancelled.complete(null));
    return new StreamObserver<>() {
      @Override
      public void onNext(String message) {
        answers.onNext("echo " + message);
      }

      @Override
      public void onError(Throwable failure) {
        cancelled.complete(null);
      }

      @Override
      public void onCompleted() {
        answers.onCompleted();
      }
    };
  }

  private static void count(String request, StreamObserver<String> answers) {
    int messages = Integer.parseInt(request);
    for (int i = 0; i < messages; i++) {
      answers.onNext("message " + i);
    }
    answers.onCompleted();
  }

  private static void fail(String request, StreamObserver<String> answers) {
    Metadata trailers = new Metadata();
    trailers.put(REASON, request);
    answers.onError(
        Status.FAILED_PRECONDITION.withDescription("not now").asRuntimeException(trailers));
  }

  @Test
  void aConversationGoesBothWaysInOrderAndEndsWell() throws Exception {
    List<String> heard = new ArrayList<>();
    CompletableFuture<Void> ended = new CompletableFuture<>();
    StreamObserver<String> say = talk(heard, ended);

    for (int i = 0; i < 1_000; i++) {
      say.onNext("m" + i);
    }
    say.onCompleted();
    ended.get(20, SECONDS);

    assertThat(heard).hasSize(1_000).first().isEqualTo("echo m0");
    assertThat(heard).last().isEqualTo("echo m999");
  }

  @Test
  void aLongAnswerArrivesWhole() {
    Iterator<String> answers =
        ClientCalls.blockingServerStreamingCall(channel, COUNT, CallOptions.DEFAULT, "20000");

    int count = 0;
    while (answers.hasNext()) {
      assertThat(answers.next()).isEqualTo("message " + count++);
    }
    assertThat(count).isEqualTo(20_000);
  }

  @Test
  void aFailureArrivesWithItsStatusAndItsTrailers() {
    AtomicReference<Metadata> trailers = new AtomicReference<>();
    var heard =
        ClientInterceptors.intercept(
            channel,
            MetadataUtils.newCaptureMetadataInterceptor(new AtomicReference<>(), trailers));

    assertThatThrownBy(
            () -> ClientCalls.blockingUnaryCall(heard, FAIL, CallOptions.DEFAULT, "too early"))
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            failure -> {
              assertThat(failure.getStatus().getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION);
              assertThat(failure.getStatus().getDescription()).isEqualTo("not now");
            });
    assertThat(trailers.get().get(REASON)).isEqualTo("too early");
  }

  @Test
  void aCancelledCallIsCancelledAtTheServer() throws Exception {
    CompletableFuture<Void> ended = new CompletableFuture<>();
    List<String> heard = new CopyOnWriteArrayList<>();
    StreamObserver<String> say = talk(heard, ended);
    say.onNext("hello");
    await().atMost(10, SECONDS).until(() -> heard.equals(List.of("echo hello")));

    say.onError(Status.CANCELLED.asRuntimeException());

    cancelled.get(10, SECONDS);
    assertThatThrownBy(() -> ended.get(10, SECONDS)).hasRootCauseInstanceOf(Exception.class);
  }

  private StreamObserver<String> talk(List<String> heard, CompletableFuture<Void> ended) {
    return ClientCalls.asyncBidiStreamingCall(
        channel.newCall(CHAT, CallOptions.DEFAULT),
        new StreamObserver<>() {
          @Override
          public void onNext(String message) {
            heard.add(message);
          }

          @Override
          public void onError(Throwable failure) {
            ended.completeExceptionally(failure);
          }

          @Override
          public void onCompleted() {
            ended.complete(null);
          }
        });
  }
}
