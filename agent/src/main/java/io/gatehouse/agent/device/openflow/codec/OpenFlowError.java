package io.gatehouse.agent.device.openflow.codec;

import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.Map;

/** An error message (OpenFlow 1.5.1 §7.5.4). */
public record OpenFlowError(int type, int code) {
  private static final int METER_FAILED = 12;
  private static final int NICIRA_TYPE = 0xffff;

  private record Names(String prefix, List<String> codes) {}

  private static final Map<Integer, Names> NAMES =
      Map.of(
          0,
          names("OFPHFC_", "INCOMPATIBLE EPERM"),
          1,
          names(
              "OFPBRC_",
              "BAD_VERSION BAD_TYPE BAD_MULTIPART BAD_EXPERIMENTER BAD_EXP_TYPE EPERM BAD_LEN"
                  + " BUFFER_EMPTY BUFFER_UNKNOWN BAD_TABLE_ID IS_SLAVE BAD_PORT BAD_PACKET"
                  + " MULTIPART_BUFFER_OVERFLOW MULTIPART_REQUEST_TIMEOUT"
                  + " MULTIPART_REPLY_TIMEOUT MULTIPART_BAD_SCHED PIPELINE_FIELDS_ONLY"),
          2,
          names(
              "OFPBAC_",
              "BAD_TYPE BAD_LEN BAD_EXPERIMENTER BAD_EXP_TYPE BAD_OUT_PORT BAD_ARGUMENT EPERM"
                  + " TOO_MANY BAD_QUEUE BAD_OUT_GROUP MATCH_INCONSISTENT UNSUPPORTED_ORDER"
                  + " BAD_TAG BAD_SET_TYPE BAD_SET_LEN BAD_SET_ARGUMENT BAD_SET_MASK BAD_METER"),
          3,
          names(
              "OFPBIC_",
              "UNKNOWN_INST UNSUP_INST BAD_TABLE_ID UNSUP_METADATA UNSUP_METADATA_MASK"
                  + " BAD_EXPERIMENTER BAD_EXP_TYPE BAD_LEN EPERM DUP_INST"),
          4,
          names(
              "OFPBMC_",
              "BAD_TYPE BAD_LEN BAD_TAG BAD_DL_ADDR_MASK BAD_NW_ADDR_MASK BAD_WILDCARDS"
                  + " BAD_FIELD BAD_VALUE BAD_MASK BAD_PREREQ DUP_FIELD EPERM"),
          5,
          names(
              "OFPFMFC_",
              "UNKNOWN TABLE_FULL BAD_TABLE_ID OVERLAP EPERM BAD_TIMEOUT BAD_COMMAND BAD_FLAGS"
                  + " CANT_SYNC BAD_PRIORITY IS_SYNC"),
          METER_FAILED,
          names(
              "OFPMMFC_",
              "UNKNOWN METER_EXISTS INVALID_METER UNKNOWN_METER BAD_COMMAND BAD_FLAGS BAD_RATE"
                  + " BAD_BURST BAD_BAND BAD_BAND_VALUE OUT_OF_METERS OUT_OF_BANDS"),
          16,
          names(
              "OFPMOFC_",
              "UNKNOWN MONITOR_EXISTS INVALID_MONITOR UNKNOWN_MONITOR BAD_COMMAND BAD_FLAGS"
                  + " BAD_TABLE_ID BAD_OUT"),
          17,
          names(
              "OFPBFC_",
              "UNKNOWN EPERM BAD_ID BUNDLE_EXIST BUNDLE_CLOSED OUT_OF_BUNDLES BAD_TYPE BAD_FLAGS"
                  + " MSG_BAD_LEN MSG_BAD_XID MSG_UNSUP MSG_CONFLICT MSG_TOO_MANY MSG_FAILED"
                  + " TIMEOUT BUNDLE_IN_PROGRESS"));

  private static Names names(String prefix, String codes) {
    return new Names(prefix, List.of(codes.split(" ")));
  }

  /** Reads what follows the header. */
  public static OpenFlowError read(ByteBuf body) throws UnreadableException {
    Wire.need(body, 4);
    return new OpenFlowError(body.readUnsignedShort(), body.readUnsignedShort());
  }

  /** Whether it is about a meter: in the answer to a flow, the meter is not there. */
  public boolean isOfMeter() {
    return type == METER_FAILED;
  }

  /** The specification's name, or the numbers of an error that is not known here. */
  public String name() {
    Names names = NAMES.get(type);
    if (names != null && code < names.codes().size()) {
      return names.prefix() + names.codes().get(code);
    }
    return type == NICIRA_TYPE ? "Nicira error " + code : "error " + type + "/" + code;
  }

  @Override
  public String toString() {
    return name();
  }
}
