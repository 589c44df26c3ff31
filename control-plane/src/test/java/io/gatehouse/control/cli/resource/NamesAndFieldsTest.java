package io.gatehouse.control.cli.resource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.DynamicMessage;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.proto.v1.Network;
import io.gatehouse.proto.v1.PathEffect;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NamesAndFieldsTest {
  private static final NameForm PORTS = ResourceKinds.PORT.form();
  private static final Instant FAR_FUTURE = Instant.parse("2100-01-01T00:00:00Z");

  @Test
  void readsShortAndFullNames() {
    String full = "tenants/acme/networks/blue/ports/web-1";
    assertThat(PORTS.parse("acme/blue/web-1")).isEqualTo(full);
    assertThat(PORTS.parse(full)).isEqualTo(full);
    assertThat(PORTS.shorten(full)).isEqualTo("acme/blue/web-1");
    assertThat(ResourceKinds.TENANT.form().parse("tenants/acme")).isEqualTo("tenants/acme");
    assertThat(ResourceKinds.NETWORK.form().parse("tenants/acme"))
        .as("a tenant may be called tenants")
        .isEqualTo("tenants/tenants/networks/acme");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "/",
        "acme",
        "acme/blue",
        "acme//web",
        "a/b/c/d",
        "acme/blue/Web",
        "tenants/acme/nets/blue/ports/web",
        "tenants/acme/networks/blue/ports/",
        "a/b/-"
      })
  void refusesOtherNames(String text) {
    assertThatThrownBy(() -> PORTS.parse(text)).isInstanceOf(InvalidValueException.class);
  }

  @Test
  void fillsUpOwnersWithAll() {
    assertThat(PORTS.parent("")).isEqualTo("tenants/-/networks/-");
    assertThat(PORTS.parent("acme")).isEqualTo("tenants/acme/networks/-");
    assertThat(PORTS.parent("tenants/acme")).isEqualTo("tenants/acme/networks/-");
    assertThat(PORTS.parent("-/blue")).isEqualTo("tenants/-/networks/blue");
    assertThat(PORTS.parent("tenants/acme/networks/blue")).isEqualTo("tenants/acme/networks/blue");
    assertThat(ResourceKinds.TENANT.form().parent("")).isEmpty();
    assertThatThrownBy(() -> PORTS.parent("a/b/c")).isInstanceOf(InvalidValueException.class);
  }

  @Test
  void everyFieldOfTheTableIsInTheContractAndEveryFlagIsUnique() {
    for (ResourceKind kind : ResourceKinds.ALL) {
      assertThat(kind.fields()).extracting(FieldSpec::flag).doesNotHaveDuplicates();
      for (FieldSpec field : kind.fields()) {
        assertThat(field.field(kind.type()).getName()).isEqualTo(lastPart(field.path()));
        assertThat(field.help()).endsWith(".");
      }
      assertThat(kind.form().parse(kind.example())).startsWith(kind.form().collections().get(0));
      DynamicMessage empty = DynamicMessage.getDefaultInstance(kind.type());
      assertThat(kind.columns())
          .allSatisfy(column -> assertThat(column.cell().apply(empty, FAR_FUTURE)).isNotNull());
    }
  }

  @Test
  void readsAndWritesConstantsWithoutTheirPrefix() {
    FieldSpec state = field(ResourceKinds.PORT, "admin_state");
    for (String text : List.of("DISABLED", "disabled", "PORT_ADMIN_STATE_DISABLED")) {
      Object value = state.parse(ResourceKinds.PORT.type(), text);
      assertThat(FieldText.show(value)).isEqualTo("DISABLED");
    }
    assertThatThrownBy(() -> state.parse(ResourceKinds.PORT.type(), "UNSPECIFIED"))
        .hasMessage("admin_state=UNSPECIFIED is none of ENABLED, DISABLED");
  }

  @Test
  void writesAddressesAsTheControlPlaneWould() {
    FieldSpec address = field(ResourceKinds.DPU, "vtep_address");
    assertThat(address.parse(ResourceKinds.DPU.type(), "2001:DB8:0::1")).isEqualTo("2001:db8::1");
    FieldSpec prefix = field(ResourceKinds.NETWORK, "ipv6_cidr");
    assertThat(prefix.parse(ResourceKinds.NETWORK.type(), "")).isEqualTo("");
    assertThatThrownBy(() -> prefix.parse(ResourceKinds.NETWORK.type(), "x"))
        .hasMessageStartingWith("ipv6_cidr=x is not address/length");
  }

  @Test
  void aNetworkShowsWhatItsPathsCarryIfThatIsTooLittle() {
    Column paths =
        ResourceKinds.NETWORK.columns().stream()
            .filter(column -> column.header().equals("PATHS"))
            .findFirst()
            .orElseThrow();
    Network.Builder network = Network.newBuilder();
    assertThat(paths.cell().apply(network.build(), FAR_FUTURE)).isEmpty();
    network
        .getPathLimitBuilder()
        .setEffect(PathEffect.PATH_EFFECT_DEGRADED)
        .setLargestMtuBytes(1_350)
        .setFromDpu("dpus/dpu1")
        .setToDpu("dpus/dpu2");
    assertThat(paths.cell().apply(network.build(), FAR_FUTURE))
        .isEqualTo("DEGRADED: dpu1 -> dpu2 carries 1350");
  }

  private static FieldSpec field(ResourceKind kind, String path) {
    return kind.fields().stream().filter(f -> f.path().equals(path)).findFirst().orElseThrow();
  }

  private static String lastPart(String path) {
    return path.substring(path.lastIndexOf('.') + 1);
  }
}
