package io.orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.core.bus.contract.Audits;
import io.orrery.core.bus.contract.TrialKeepers;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.problem.Problem;
import io.vertx.core.Future;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Lets the source of a long answer fail after its first piece: no client gets a whole answer. */
class BrokenDownloadIT {
  private static final String TRIAL = "/api/v1/experiments/digits01/trials/abcde";
  private static final byte[] PIECE = new byte[100_000];

  private EdgeServer edge;

  @BeforeEach
  void start() throws Exception {
    edge = EdgeServer.start();
  }

  @AfterEach
  void stop() throws Exception {
    edge.close();
  }

  @Test
  void aLogThatBreaksOffIsCutOff() throws Exception {
    edge.on(
        Trials.READ_LOG,
        asked ->
            asked.offset() == 0
                ? Future.succeededFuture(new Trials.LogPiece(PIECE, PIECE.length, false))
                : broken());

    assertIsCutOff(TRIAL + "/logs/stdout?follow=true");
    assertIsCutOff("/experiments/digits01/api/v1/nni/trial-file/abcde/stdout");
  }

  @Test
  void aFileThatBreaksOffIsCutOff() throws Exception {
    edge.on(
        TrialKeepers.FILE,
        asked ->
            asked.offset() == 0
                ? Future.succeededFuture(new TrialKeepers.Piece(PIECE, PIECE.length, 200_000))
                : broken());

    assertIsCutOff(TRIAL + "/file?path=model.bin");
  }

  @Test
  void aFileThatBecomesShorterIsCutOff() throws Exception {
    edge.on(
        TrialKeepers.FILE,
        asked ->
            Future.succeededFuture(
                asked.offset() == 0
                    ? new TrialKeepers.Piece(PIECE, PIECE.length, 200_000)
                    : new TrialKeepers.Piece(new byte[0], PIECE.length, PIECE.length)));

    assertIsCutOff(TRIAL + "/file?path=model.bin");
  }

  @Test
  void anExportOfTheAuditLogThatBreaksOffIsCutOff() throws Exception {
    edge.on(
        Audits.LIST,
        asked ->
            asked.cursor() == null
                ? Future.succeededFuture(
                    new Audits.EntryPage(List.of(Samples.auditEntry()), "further"))
                : broken());

    assertIsCutOff("/api/v1/audit/export");
  }

  private void assertIsCutOff(String path) {
    assertThatThrownBy(() -> edge.get(path)).as(path).isInstanceOf(IOException.class);
    assertThat(edge.questions).as(path).hasSizeGreaterThan(1);
    edge.questions.clear();
  }

  private static <T> Future<T> broken() {
    return Future.failedFuture(new Problem.Broken("the disk failed").toException());
  }
}
