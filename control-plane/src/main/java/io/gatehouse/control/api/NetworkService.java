package io.gatehouse.control.api;

import static io.gatehouse.wire.FieldReader.read;
import static io.gatehouse.wire.FieldReader.readWithin;
import static io.gatehouse.wire.FieldReader.uint32;

import io.gatehouse.control.decide.Command;
import io.gatehouse.control.decide.Etag;
import io.gatehouse.control.decide.NetworkCommand.CreateNetwork;
import io.gatehouse.control.decide.NetworkCommand.DeleteNetwork;
import io.gatehouse.control.decide.NetworkCommand.NetworkPatch;
import io.gatehouse.control.decide.NetworkCommand.UpdateNetwork;
import io.gatehouse.control.image.Event.NetworkPut;
import io.gatehouse.control.sequencer.Committed;
import io.gatehouse.model.HostConfiguration;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.net.Cidr;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.model.net.Vni;
import io.gatehouse.proto.v1.CreateNetworkRequest;
import io.gatehouse.proto.v1.CreateNetworkResponse;
import io.gatehouse.proto.v1.DeleteNetworkRequest;
import io.gatehouse.proto.v1.DeleteNetworkResponse;
import io.gatehouse.proto.v1.GetNetworkRequest;
import io.gatehouse.proto.v1.GetNetworkResponse;
import io.gatehouse.proto.v1.ListNetworksRequest;
import io.gatehouse.proto.v1.ListNetworksResponse;
import io.gatehouse.proto.v1.Network;
import io.gatehouse.proto.v1.NetworkServiceGrpc;
import io.gatehouse.proto.v1.UpdateNetworkRequest;
import io.gatehouse.proto.v1.UpdateNetworkResponse;
import io.gatehouse.wire.HostConfigurationWire;
import io.gatehouse.wire.NetworkWire;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The service of networks. */
final class NetworkService extends NetworkServiceGrpc.NetworkServiceImplBase {
  private static final Set<String> CHANGEABLE =
      Set.of("display_name", "ipv4_cidr", "ipv6_cidr", "mtu_bytes", "host_configuration");

  private static final Map<String, Filter.Field<io.gatehouse.model.Network>> FILTERED =
      Map.of(
          "name", Filter.Field.text(network -> network.name().toString()),
          "display_name", Filter.Field.text(io.gatehouse.model.Network::displayName),
          "vni", new Filter.Field<>(network -> network.vni().toString(), NetworkService::vniText),
          "ipv4_cidr",
              new Filter.Field<>(
                  network -> NetworkWire.toProto(network).getIpv4Cidr(),
                  text -> cidrText(NetworkWire.ipv4Cidr(text))),
          "ipv6_cidr",
              new Filter.Field<>(
                  network -> NetworkWire.toProto(network).getIpv6Cidr(),
                  text -> cidrText(NetworkWire.ipv6Cidr(text))));

  private final Calls calls;

  NetworkService(Calls calls) {
    this.calls = calls;
  }

  @Override
  public void createNetwork(
      CreateNetworkRequest request, StreamObserver<CreateNetworkResponse> observer) {
    calls.change(
        observer,
        "network",
        () -> create(request),
        committed ->
            CreateNetworkResponse.newBuilder()
                .setNetwork(stored(committed))
                .setRevision(committed.entry().revision())
                .build());
  }

  @Override
  public void getNetwork(GetNetworkRequest request, StreamObserver<GetNetworkResponse> observer) {
    calls.read(
        observer,
        image -> {
          NetworkName name = read("name", request.getName(), NetworkName::parse);
          return GetNetworkResponse.newBuilder()
              .setNetwork(message(Found.existing(image.network(name), name)))
              .build();
        });
  }

  @Override
  public void listNetworks(
      ListNetworksRequest request, StreamObserver<ListNetworksResponse> observer) {
    calls.read(
        observer,
        image -> {
          Predicate<io.gatehouse.model.Network> wanted =
              Filter.parse(request.getFilter(), FILTERED);
          String parent = request.getParent();
          var page =
              Paging.of(
                      request.getPageSize(),
                      request.getPageToken(),
                      "networks",
                      parent,
                      request.getFilter())
                  .page(Parent.networks(image, parent), wanted, NetworkName::parse);
          return ListNetworksResponse.newBuilder()
              .addAllNetworks(page.resources().stream().map(NetworkService::message).toList())
              .setNextPageToken(page.nextToken())
              .build();
        });
  }

  @Override
  public void updateNetwork(
      UpdateNetworkRequest request, StreamObserver<UpdateNetworkResponse> observer) {
    calls.change(
        observer,
        "network",
        () -> update(request),
        committed ->
            UpdateNetworkResponse.newBuilder()
                .setNetwork(stored(committed))
                .setRevision(committed.entry().revision())
                .build());
  }

  @Override
  public void deleteNetwork(
      DeleteNetworkRequest request, StreamObserver<DeleteNetworkResponse> observer) {
    calls.change(
        observer,
        "",
        () ->
            new DeleteNetwork(
                calls.request(request.getRequestId(), request),
                read("name", request.getName(), NetworkName::parse),
                request.getEtag()),
        committed ->
            DeleteNetworkResponse.newBuilder().setRevision(committed.entry().revision()).build());
  }

  private Command create(CreateNetworkRequest request) {
    Network network = request.getNetwork();
    TenantPlacement.checkVni(network.getVni());
    List<Cidr> cidrs =
        Stream.of(
                NetworkWire.ipv4Cidr(network.getIpv4Cidr()),
                NetworkWire.ipv6Cidr(network.getIpv6Cidr()))
            .flatMap(List::stream)
            .toList();
    return new CreateNetwork(
        calls.request(request.getRequestId(), request),
        read("name", network.getName(), NetworkName::parse),
        network.getDisplayName(),
        network.getVni() == 0 ? Optional.empty() : Optional.of(NetworkWire.vni(network.getVni())),
        cidrs,
        uint32("mtu_bytes", network.getMtuBytes()),
        hosts(network));
  }

  private Command update(UpdateNetworkRequest request) {
    Network network = request.getNetwork();
    UpdateMask mask = UpdateMask.of(request.getUpdateMask(), CHANGEABLE);
    NetworkPatch patch =
        new NetworkPatch(
            mask.ifNamed("display_name", network::getDisplayName),
            mask.ifNamed("ipv4_cidr", () -> NetworkWire.ipv4Cidr(network.getIpv4Cidr())),
            mask.ifNamed("ipv6_cidr", () -> NetworkWire.ipv6Cidr(network.getIpv6Cidr())),
            mask.ifNamed("mtu_bytes", () -> uint32("mtu_bytes", network.getMtuBytes())),
            mask.ifNamed("host_configuration", () -> hosts(network)));
    return new UpdateNetwork(
        calls.request(request.getRequestId(), request),
        read("name", network.getName(), NetworkName::parse),
        patch,
        network.getEtag());
  }

  private static HostConfiguration hosts(Network network) {
    return readWithin(
        "host_configuration", network.getHostConfiguration(), HostConfigurationWire::fromProto);
  }

  private static Network stored(Committed committed) {
    return message(Found.put(committed.entry(), NetworkPut.class).network());
  }

  private static Network message(io.gatehouse.model.Network network) {
    return NetworkWire.toProto(network).toBuilder().setEtag(Etag.of(network)).build();
  }

  private static String vniText(String text) {
    try {
      return new Vni(Integer.parseInt(text)).toString();
    } catch (NumberFormatException e) {
      throw new InvalidValueException("vni", text, "is not a number");
    }
  }

  private static String cidrText(List<Cidr> cidrs) {
    return cidrs.isEmpty() ? "" : cidrs.get(0).toString();
  }
}
