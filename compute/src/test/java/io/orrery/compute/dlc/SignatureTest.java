package io.orrery.compute.dlc;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.compute.batch.Rest.Request;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SignatureTest {
  /** The worked example of Alibaba Cloud's documentation of its signature method V3. */
  @Test
  void theDocumentedExampleHasTheDocumentedSignature() {
    Request request =
        new Signature("YourAccessKeyId", "YourAccessKeySecret")
            .request(
                "POST",
                "https://ecs.cn-shanghai.aliyuncs.com",
                "/",
                Map.of(
                    "RegionId",
                    "cn-shanghai",
                    "ImageId",
                    "win2019_1809_x64_dtc_zh-cn_40G_alibase_20230811.vhd"),
                "RunInstances",
                "2014-05-26",
                null,
                Instant.parse("2023-10-26T10:22:32.5Z"),
                "3156853299f313e23d1673dc12e1703d");

    assertThat(request.headers())
        .containsEntry(
            "Authorization",
            "ACS3-HMAC-SHA256 Credential=YourAccessKeyId,"
                + "SignedHeaders=host;x-acs-action;x-acs-content-sha256;x-acs-date;"
                + "x-acs-signature-nonce;x-acs-version,"
                + "Signature=06563a9e1b43f5dfe96b81484da74bceab24a1d853912eee15083a6f0f3283c0");
    assertThat(request.url()).endsWith(".vhd&RegionId=cn-shanghai");
  }

  @Test
  void aSecretIsNotShown() {
    assertThat(new Signature("id", "hush").toString()).doesNotContain("hush");
  }
}
