package io.gatehouse.control.identity;

import static io.gatehouse.control.identity.IdentityMessages.AUTHORITIES;
import static io.gatehouse.control.identity.IdentityMessages.TOKENS;
import static io.gatehouse.control.identity.IdentityMessages.message;
import static io.gatehouse.wire.FieldReader.read;

import com.google.protobuf.Message;
import io.gatehouse.control.api.Calls;
import io.gatehouse.control.api.Paging;
import io.gatehouse.control.decide.Command;
import io.gatehouse.control.decide.RefusedException;
import io.gatehouse.control.decide.RefusedException.Kind;
import io.gatehouse.control.decide.identity.IdentityCommand;
import io.gatehouse.control.decide.identity.IdentityCommand.CreateToken;
import io.gatehouse.control.decide.identity.IdentityCommand.DeleteToken;
import io.gatehouse.control.decide.identity.IdentityCommand.ReplaceAuthority;
import io.gatehouse.control.decide.identity.IdentityCommand.RevokeAuthority;
import io.gatehouse.control.decide.identity.IdentityCommand.RevokeIdentity;
import io.gatehouse.control.image.Image;
import io.gatehouse.control.image.identity.CertificateRecord;
import io.gatehouse.control.image.identity.Token;
import io.gatehouse.control.pki.Authorities;
import io.gatehouse.control.pki.PkiException;
import io.gatehouse.control.sequencer.Committed;
import io.gatehouse.model.name.IdentityName;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.proto.v1.CreateEnrollmentTokenRequest;
import io.gatehouse.proto.v1.CreateEnrollmentTokenResponse;
import io.gatehouse.proto.v1.DeleteEnrollmentTokenRequest;
import io.gatehouse.proto.v1.DeleteEnrollmentTokenResponse;
import io.gatehouse.proto.v1.IdentityServiceGrpc;
import io.gatehouse.proto.v1.ListAuthoritiesRequest;
import io.gatehouse.proto.v1.ListAuthoritiesResponse;
import io.gatehouse.proto.v1.ListCertificatesRequest;
import io.gatehouse.proto.v1.ListCertificatesResponse;
import io.gatehouse.proto.v1.ListEnrollmentTokensRequest;
import io.gatehouse.proto.v1.ListEnrollmentTokensResponse;
import io.gatehouse.proto.v1.RevokeIdentityRequest;
import io.gatehouse.proto.v1.RevokeIdentityResponse;
import io.gatehouse.proto.v1.RevokeIssuingAuthorityRequest;
import io.gatehouse.proto.v1.RevokeIssuingAuthorityResponse;
import io.gatehouse.proto.v1.RotateIssuingAuthorityRequest;
import io.gatehouse.proto.v1.RotateIssuingAuthorityResponse;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Tokens, certificates and authorities, for those who run the fleet. */
public final class IdentityService extends IdentityServiceGrpc.IdentityServiceImplBase {
  private static final Duration DEFAULT_LIFETIME = Duration.ofHours(1);

  private final Calls calls;
  private final Authorities authorities;
  private final InstantSource clock;

  public IdentityService(Calls calls, Authorities authorities, InstantSource clock) {
    this.calls = calls;
    this.authorities = authorities;
    this.clock = clock;
  }

  @Override
  public void createEnrollmentToken(
      CreateEnrollmentTokenRequest request,
      StreamObserver<CreateEnrollmentTokenResponse> observer) {
    NewToken fresh = NewToken.make();
    calls.change(
        observer,
        "",
        () -> {
          int seconds = request.getLifetimeSeconds();
          return command(
              request,
              new CreateToken(
                  fresh.token(
                      read("identity", request.getIdentity(), IdentityName::parse),
                      request.getMachineSerialNumber(),
                      clock.instant(),
                      seconds == 0 ? DEFAULT_LIFETIME : Duration.ofSeconds(seconds))));
        },
        committed ->
            CreateEnrollmentTokenResponse.newBuilder()
                .setEnrollmentToken(message(stored(committed, fresh.id())))
                .setToken(fresh.text(Authorities.root(committed.after())))
                .setRevision(committed.entry().revision())
                .build());
  }

  @Override
  public void listEnrollmentTokens(
      ListEnrollmentTokensRequest request, StreamObserver<ListEnrollmentTokensResponse> observer) {
    Instant now = clock.instant();
    calls.read(
        observer,
        image -> {
          var page =
              Paging.of(request.getPageSize(), request.getPageToken(), "enrollmentTokens")
                  .page(
                      image.identities().tokens(),
                      token -> !token.isExpired(now),
                      UnaryOperator.identity());
          return ListEnrollmentTokensResponse.newBuilder()
              .addAllEnrollmentTokens(
                  page.resources().stream().map(IdentityMessages::message).toList())
              .setNextPageToken(page.nextToken())
              .build();
        });
  }

  @Override
  public void deleteEnrollmentToken(
      DeleteEnrollmentTokenRequest request,
      StreamObserver<DeleteEnrollmentTokenResponse> observer) {
    calls.change(
        observer,
        "",
        () -> command(request, new DeleteToken(id(TOKENS, request.getName()))),
        committed ->
            DeleteEnrollmentTokenResponse.newBuilder()
                .setRevision(committed.entry().revision())
                .build());
  }

  @Override
  public void listCertificates(
      ListCertificatesRequest request, StreamObserver<ListCertificatesResponse> observer) {
    Instant now = clock.instant();
    calls.read(
        observer,
        image -> {
          String wanted =
              request.getIdentity().isEmpty()
                  ? ""
                  : read("identity", request.getIdentity(), IdentityName::parse).toString();
          var page =
              Paging.of(request.getPageSize(), request.getPageToken(), "certificates", wanted)
                  .page(
                      image.identities().certificates(),
                      certificate -> isListed(certificate, wanted, now),
                      UnaryOperator.identity());
          return ListCertificatesResponse.newBuilder()
              .addAllCertificates(page.resources().stream().map(IdentityMessages::message).toList())
              .setNextPageToken(page.nextToken())
              .build();
        });
  }

  @Override
  public void revokeIdentity(
      RevokeIdentityRequest request, StreamObserver<RevokeIdentityResponse> observer) {
    calls.change(
        observer,
        "",
        () ->
            command(
                request,
                new RevokeIdentity(
                    read("identity", request.getIdentity(), IdentityName::parse),
                    request.getReason())),
        committed ->
            RevokeIdentityResponse.newBuilder()
                .setRevokedCertificateCount(newlyRevoked(committed))
                .setRevision(committed.entry().revision())
                .build());
  }

  @Override
  public void rotateIssuingAuthority(
      RotateIssuingAuthorityRequest request,
      StreamObserver<RotateIssuingAuthorityResponse> observer) {
    calls.change(
        observer,
        "",
        () -> command(request, new ReplaceAuthority(next())),
        committed ->
            RotateIssuingAuthorityResponse.newBuilder()
                .setAuthority(
                    message(
                        committed.after().identities().authorities().get(0),
                        committed.after(),
                        clock.instant()))
                .setRevision(committed.entry().revision())
                .build());
  }

  @Override
  public void revokeIssuingAuthority(
      RevokeIssuingAuthorityRequest request,
      StreamObserver<RevokeIssuingAuthorityResponse> observer) {
    calls.change(
        observer,
        "",
        () ->
            command(
                request,
                new RevokeAuthority(id(AUTHORITIES, request.getName()), request.getReason())),
        committed ->
            RevokeIssuingAuthorityResponse.newBuilder()
                .setRevision(committed.entry().revision())
                .build());
  }

  @Override
  public void listAuthorities(
      ListAuthoritiesRequest request, StreamObserver<ListAuthoritiesResponse> observer) {
    Instant now = clock.instant();
    calls.read(
        observer,
        image ->
            ListAuthoritiesResponse.newBuilder()
                .addAllAuthorities(
                    image.identities().authorities().stream()
                        .filter(authority -> authority.notAfter().isAfter(now))
                        .map(authority -> message(authority, image, now))
                        .toList())
                .build());
  }

  private Command command(Message request, IdentityCommand command) {
    return new Command.OfIdentity(calls.request("", request), command);
  }

  private io.gatehouse.control.image.identity.Authority next() {
    try {
      return authorities.next(calls.image(), clock.instant());
    } catch (PkiException e) {
      throw new RefusedException(Kind.FAILED_PRECONDITION, String.valueOf(e.getMessage()));
    }
  }

  private static boolean isListed(CertificateRecord certificate, String wanted, Instant now) {
    return certificate.notAfter().isAfter(now)
        && (wanted.isEmpty() || certificate.identity().toString().equals(wanted));
  }

  private static Token stored(Committed committed, String id) {
    return Optional.ofNullable(committed.after().identities().tokens().get(id))
        .orElseThrow(() -> new IllegalStateException("the change stored no token"));
  }

  private static int newlyRevoked(Committed committed) {
    return revoked(committed.after()) - revoked(committed.before());
  }

  private static int revoked(Image image) {
    return (int)
        image.identities().certificates().values().stream()
            .filter(certificate -> certificate.revokedAt().isPresent())
            .count();
  }

  private static String id(String collection, String name) {
    if (!name.startsWith(collection) || name.length() == collection.length()) {
      throw new InvalidValueException("name", name, "is not of the form " + collection + "{id}");
    }
    return name.substring(collection.length());
  }
}
