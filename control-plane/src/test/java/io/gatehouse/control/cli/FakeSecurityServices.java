package io.gatehouse.control.cli;

import static io.gatehouse.control.cli.FakeResourceServices.answer;

import io.gatehouse.control.cli.FakeStore.Written;
import io.gatehouse.proto.v1.CreateSecurityGroupRequest;
import io.gatehouse.proto.v1.CreateSecurityGroupResponse;
import io.gatehouse.proto.v1.DeleteSecurityGroupRequest;
import io.gatehouse.proto.v1.DeleteSecurityGroupResponse;
import io.gatehouse.proto.v1.GetSecurityGroupRequest;
import io.gatehouse.proto.v1.GetSecurityGroupResponse;
import io.gatehouse.proto.v1.ListQuarantinesRequest;
import io.gatehouse.proto.v1.ListQuarantinesResponse;
import io.gatehouse.proto.v1.ListSecurityGroupsRequest;
import io.gatehouse.proto.v1.ListSecurityGroupsResponse;
import io.gatehouse.proto.v1.Quarantine;
import io.gatehouse.proto.v1.QuarantineServiceGrpc;
import io.gatehouse.proto.v1.ReleaseQuarantineRequest;
import io.gatehouse.proto.v1.ReleaseQuarantineResponse;
import io.gatehouse.proto.v1.SecurityGroup;
import io.gatehouse.proto.v1.SecurityGroupServiceGrpc;
import io.gatehouse.proto.v1.SecurityRule;
import io.gatehouse.proto.v1.SetQuarantineRequest;
import io.gatehouse.proto.v1.SetQuarantineResponse;
import io.gatehouse.proto.v1.UpdateSecurityGroupRequest;
import io.gatehouse.proto.v1.UpdateSecurityGroupResponse;
import io.grpc.BindableService;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/** Security groups over a store, whose rules name only what is there, and quarantines. */
final class FakeSecurityServices {
  private final FakeStore store;
  private final TreeMap<String, Quarantine> quarantines = new TreeMap<>();

  FakeSecurityServices(FakeStore store) {
    this.store = store;
  }

  List<BindableService> all() {
    return List.of(new Groups(), new Quarantines());
  }

  private void checkRemotes(SecurityGroup group) {
    for (SecurityRule rule : group.getRulesList()) {
      String remote = rule.getRemoteGroup();
      boolean self = remote.isEmpty() || remote.equals(group.getName());
      if (!self && store.find(remote).isEmpty()) {
        throw Status.FAILED_PRECONDITION
            .withDescription(remote + " does not exist")
            .asRuntimeException();
      }
    }
  }

  private final class Groups extends SecurityGroupServiceGrpc.SecurityGroupServiceImplBase {
    @Override
    public void createSecurityGroup(
        CreateSecurityGroupRequest request, StreamObserver<CreateSecurityGroupResponse> observer) {
      answer(
          observer,
          () -> {
            checkRemotes(request.getSecurityGroup());
            Written written =
                store.create(request.getSecurityGroup(), request.getRequestId(), given -> given);
            return CreateSecurityGroupResponse.newBuilder()
                .setSecurityGroup((SecurityGroup) written.resource())
                .setRevision(written.revision())
                .build();
          });
    }

    @Override
    public void getSecurityGroup(
        GetSecurityGroupRequest request, StreamObserver<GetSecurityGroupResponse> observer) {
      answer(
          observer,
          () ->
              GetSecurityGroupResponse.newBuilder()
                  .setSecurityGroup((SecurityGroup) store.get(request.getName()))
                  .build());
    }

    @Override
    public void listSecurityGroups(
        ListSecurityGroupsRequest request, StreamObserver<ListSecurityGroupsResponse> observer) {
      answer(
          observer,
          () -> {
            FakeRules.Page page =
                FakeRules.page(
                    store.list(request.getParent() + "/securityGroups"),
                    request.getPageToken(),
                    request.getFilter());
            ListSecurityGroupsResponse.Builder list =
                ListSecurityGroupsResponse.newBuilder().setNextPageToken(page.next());
            page.resources().forEach(r -> list.addSecurityGroups((SecurityGroup) r));
            return list.build();
          });
    }

    @Override
    public void updateSecurityGroup(
        UpdateSecurityGroupRequest request, StreamObserver<UpdateSecurityGroupResponse> observer) {
      answer(
          observer,
          () -> {
            checkRemotes(request.getSecurityGroup());
            Written written =
                store.update(
                    request.getSecurityGroup(),
                    request.getUpdateMask(),
                    request.getRequestId(),
                    Set.of("display_name", "rules"));
            return UpdateSecurityGroupResponse.newBuilder()
                .setSecurityGroup((SecurityGroup) written.resource())
                .setRevision(written.revision())
                .build();
          });
    }

    @Override
    public void deleteSecurityGroup(
        DeleteSecurityGroupRequest request, StreamObserver<DeleteSecurityGroupResponse> observer) {
      answer(
          observer,
          () ->
              DeleteSecurityGroupResponse.newBuilder()
                  .setRevision(
                      store.delete(request.getName(), request.getEtag(), request.getRequestId()))
                  .build());
    }
  }

  private final class Quarantines extends QuarantineServiceGrpc.QuarantineServiceImplBase {
    @Override
    public void setQuarantine(
        SetQuarantineRequest request, StreamObserver<SetQuarantineResponse> observer) {
      Quarantine set =
          Quarantine.newBuilder()
              .setTarget(request.getTarget())
              .setReason(request.getReason())
              .addAllAllowedCidrs(request.getAllowedCidrsList())
              .setSetBy("operators/admin")
              .setSetTime(FakeStore.NOW)
              .build();
      quarantines.put(set.getTarget(), set);
      answer(
          observer,
          () -> SetQuarantineResponse.newBuilder().setQuarantine(set).setRevision(6).build());
    }

    @Override
    public void releaseQuarantine(
        ReleaseQuarantineRequest request, StreamObserver<ReleaseQuarantineResponse> observer) {
      answer(
          observer,
          () -> {
            if (quarantines.remove(request.getTarget()) == null) {
              throw Status.NOT_FOUND
                  .withDescription(request.getTarget() + " has no quarantine of its own")
                  .asRuntimeException();
            }
            return ReleaseQuarantineResponse.newBuilder().setRevision(7).build();
          });
    }

    /** A page of one. */
    @Override
    public void listQuarantines(
        ListQuarantinesRequest request, StreamObserver<ListQuarantinesResponse> observer) {
      List<Quarantine> below =
          quarantines.tailMap(request.getPageToken(), false).values().stream()
              .filter(one -> (one.getTarget() + "/").startsWith(request.getParent()))
              .toList();
      answer(
          observer,
          () ->
              ListQuarantinesResponse.newBuilder()
                  .addAllQuarantines(below.stream().limit(1).toList())
                  .setNextPageToken(below.size() > 1 ? below.get(0).getTarget() : "")
                  .build());
    }
  }
}
