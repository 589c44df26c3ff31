package io.gatehouse.control.api.security;

import static io.gatehouse.wire.FieldReader.read;

import io.gatehouse.control.api.Calls;
import io.gatehouse.control.api.Filter;
import io.gatehouse.control.api.Found;
import io.gatehouse.control.api.Paging;
import io.gatehouse.control.api.Parent;
import io.gatehouse.control.api.UpdateMask;
import io.gatehouse.control.decide.Command;
import io.gatehouse.control.decide.Etag;
import io.gatehouse.control.decide.security.SecurityGroupCommand;
import io.gatehouse.control.decide.security.SecurityGroupCommand.CreateGroup;
import io.gatehouse.control.decide.security.SecurityGroupCommand.DeleteGroup;
import io.gatehouse.control.decide.security.SecurityGroupCommand.GroupPatch;
import io.gatehouse.control.decide.security.SecurityGroupCommand.UpdateGroup;
import io.gatehouse.control.image.Event.SecurityGroupPut;
import io.gatehouse.control.image.Image;
import io.gatehouse.control.sequencer.Committed;
import io.gatehouse.model.name.SecurityGroupName;
import io.gatehouse.proto.v1.CreateSecurityGroupRequest;
import io.gatehouse.proto.v1.CreateSecurityGroupResponse;
import io.gatehouse.proto.v1.DeleteSecurityGroupRequest;
import io.gatehouse.proto.v1.DeleteSecurityGroupResponse;
import io.gatehouse.proto.v1.GetSecurityGroupRequest;
import io.gatehouse.proto.v1.GetSecurityGroupResponse;
import io.gatehouse.proto.v1.ListSecurityGroupsRequest;
import io.gatehouse.proto.v1.ListSecurityGroupsResponse;
import io.gatehouse.proto.v1.SecurityGroup;
import io.gatehouse.proto.v1.SecurityGroupServiceGrpc;
import io.gatehouse.proto.v1.UpdateSecurityGroupRequest;
import io.gatehouse.proto.v1.UpdateSecurityGroupResponse;
import io.gatehouse.wire.SecurityGroupWire;
import io.grpc.stub.StreamObserver;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** The service of security groups. */
public final class SecurityGroupService
    extends SecurityGroupServiceGrpc.SecurityGroupServiceImplBase {
  private static final String RESOURCE = "security_group";
  private static final Set<String> CHANGEABLE = Set.of("display_name", "rules");

  private static final Map<String, Filter.Field<io.gatehouse.model.security.SecurityGroup>>
      FILTERED =
          Map.of(
              "name", Filter.Field.text(group -> group.name().toString()),
              "display_name",
                  Filter.Field.text(io.gatehouse.model.security.SecurityGroup::displayName));

  private final Calls calls;

  public SecurityGroupService(Calls calls) {
    this.calls = calls;
  }

  @Override
  public void createSecurityGroup(
      CreateSecurityGroupRequest request, StreamObserver<CreateSecurityGroupResponse> observer) {
    calls.change(
        observer,
        RESOURCE,
        () -> create(request),
        committed ->
            CreateSecurityGroupResponse.newBuilder()
                .setSecurityGroup(stored(committed))
                .setRevision(committed.entry().revision())
                .build());
  }

  @Override
  public void getSecurityGroup(
      GetSecurityGroupRequest request, StreamObserver<GetSecurityGroupResponse> observer) {
    calls.read(
        observer,
        image -> {
          SecurityGroupName name = read("name", request.getName(), SecurityGroupName::parse);
          return GetSecurityGroupResponse.newBuilder()
              .setSecurityGroup(message(image, Found.existing(image.securityGroup(name), name)))
              .build();
        });
  }

  @Override
  public void listSecurityGroups(
      ListSecurityGroupsRequest request, StreamObserver<ListSecurityGroupsResponse> observer) {
    calls.read(
        observer,
        image -> {
          Predicate<io.gatehouse.model.security.SecurityGroup> wanted =
              Filter.parse(request.getFilter(), FILTERED);
          String parent = request.getParent();
          var page =
              Paging.of(
                      request.getPageSize(),
                      request.getPageToken(),
                      "securityGroups",
                      parent,
                      request.getFilter())
                  .page(Parent.securityGroups(image, parent), wanted, SecurityGroupName::parse);
          return ListSecurityGroupsResponse.newBuilder()
              .addAllSecurityGroups(
                  page.resources().stream().map(group -> message(image, group)).toList())
              .setNextPageToken(page.nextToken())
              .build();
        });
  }

  @Override
  public void updateSecurityGroup(
      UpdateSecurityGroupRequest request, StreamObserver<UpdateSecurityGroupResponse> observer) {
    calls.change(
        observer,
        RESOURCE,
        () -> update(request),
        committed ->
            UpdateSecurityGroupResponse.newBuilder()
                .setSecurityGroup(stored(committed))
                .setRevision(committed.entry().revision())
                .build());
  }

  @Override
  public void deleteSecurityGroup(
      DeleteSecurityGroupRequest request, StreamObserver<DeleteSecurityGroupResponse> observer) {
    calls.change(
        observer,
        "",
        () ->
            new Command.OfSecurity(
                calls.request(request.getRequestId(), request),
                new DeleteGroup(
                    read("name", request.getName(), SecurityGroupName::parse), request.getEtag())),
        committed ->
            DeleteSecurityGroupResponse.newBuilder()
                .setRevision(committed.entry().revision())
                .build());
  }

  private Command create(CreateSecurityGroupRequest request) {
    SecurityGroup group = request.getSecurityGroup();
    SecurityGroupCommand create =
        new CreateGroup(
            read("name", group.getName(), SecurityGroupName::parse),
            group.getDisplayName(),
            SecurityGroupWire.readRules(group.getRulesList()));
    return new Command.OfSecurity(calls.request(request.getRequestId(), request), create);
  }

  private Command update(UpdateSecurityGroupRequest request) {
    SecurityGroup group = request.getSecurityGroup();
    UpdateMask mask = UpdateMask.of(request.getUpdateMask(), CHANGEABLE);
    GroupPatch patch =
        new GroupPatch(
            mask.ifNamed("display_name", group::getDisplayName),
            mask.ifNamed("rules", () -> SecurityGroupWire.readRules(group.getRulesList())));
    SecurityGroupCommand update =
        new UpdateGroup(
            read("name", group.getName(), SecurityGroupName::parse), patch, group.getEtag());
    return new Command.OfSecurity(calls.request(request.getRequestId(), request), update);
  }

  private static SecurityGroup stored(Committed committed) {
    return message(committed.after(), Found.put(committed.entry(), SecurityGroupPut.class).group());
  }

  private static SecurityGroup message(
      Image image, io.gatehouse.model.security.SecurityGroup group) {
    return SecurityGroupWire.toProto(group).toBuilder()
        .setPortCount(image.membersOf(group.name()).size())
        .setEtag(Etag.of(group))
        .build();
  }
}
