package io.orrery.orchestrator.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.digest.Sha256;
import java.net.URI;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Signs the examples of Amazon's documentation of signatures in the header. */
class SignatureV4Test {
  private static final SignatureV4 EXAMPLE =
      new SignatureV4(
          "AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "us-east-1");
  private static final Instant AT = Instant.parse("2013-05-24T00:00:00Z");
  private static final String EMPTY = Sha256.hex("");
  private static final String HOST = "https://examplebucket.s3.amazonaws.com";

  private static String signed(
      String method, String address, Map<String, String> more, String payload) {
    return EXAMPLE
        .sign(method, URI.create(HOST + address), new TreeMap<>(more), payload, AT)
        .get("authorization");
  }

  @Test
  void aPieceOfAnObjectIsAskedForAsInTheExample() {
    assertThat(signed("GET", "/test.txt", Map.of("range", "bytes=0-9"), EMPTY))
        .isEqualTo(
            "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,"
                + "SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,"
                + "Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41");
  }

  @Test
  void anObjectIsStoredAsInTheExample() {
    assertThat(
            signed(
                "PUT",
                "/test%24file.text",
                Map.of(
                    "date",
                    "Fri, 24 May 2013 00:00:00 GMT",
                    "x-amz-storage-class",
                    "REDUCED_REDUNDANCY"),
                Sha256.hex("Welcome to Amazon S3.")))
        .endsWith("=98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd");
  }

  @Test
  void parametersWithAndWithoutValuesAreSignedAsInTheExamples() {
    assertThat(signed("GET", "/?lifecycle", Map.of(), EMPTY))
        .endsWith("=fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543");
    assertThat(signed("GET", "/?prefix=J&max-keys=2", Map.of(), EMPTY))
        .endsWith("=34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7");
  }

  /** HTTP clients leave the usual port of a scheme out of the header Host. */
  @Test
  void theUsualPortIsNotSignedAndAnotherOneIs() {
    assertThat(host("http://store.example:80/a")).isEqualTo(host("http://store.example/a"));
    assertThat(host("https://store.example:443/a")).isEqualTo(host("https://store.example/a"));
    assertThat(host("https://store.example:80/a")).isNotEqualTo(host("https://store.example/a"));
    assertThat(host("http://[::1]:9000/a")).isNotEqualTo(host("http://[::1]/a"));
  }

  private static String host(String address) {
    return EXAMPLE
        .sign("GET", URI.create(address), new TreeMap<>(), EMPTY, AT)
        .get("authorization");
  }

  @Test
  void nothingOfTheKeysIsInItsText() {
    assertThat(EXAMPLE.toString()).doesNotContain("EXAMPLE");
  }
}
