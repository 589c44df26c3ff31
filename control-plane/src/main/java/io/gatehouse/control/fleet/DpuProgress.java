package io.gatehouse.control.fleet;

/**
 * How far one DPU has come.
 *
 * @param applied newest revision that it has applied and read back
 * @param pendingSince oldest revision that concerns it and is not known to be applied; 0 if all are
 */
public record DpuProgress(long applied, long pendingSince) {
  /** Of a DPU that has never reported. */
  public static final DpuProgress UNKNOWN = new DpuProgress(0, 1);

  private static final long NOTHING = 0;

  /** A revision concerns it. */
  DpuProgress concerned(long revision) {
    boolean known = pendingSince != NOTHING || revision <= applied;
    return known ? this : new DpuProgress(applied, revision);
  }

  /**
   * It has reported.
   *
   * @param nowApplied less than before, if it has lost what it had
   * @param desired newest revision that concerns it
   */
  DpuProgress reported(long nowApplied, long desired) {
    if (nowApplied >= desired) {
      return new DpuProgress(nowApplied, NOTHING);
    }
    boolean lost = nowApplied < applied;
    return new DpuProgress(
        nowApplied, lost ? nowApplied + 1 : Math.max(pendingSince, nowApplied + 1));
  }

  public boolean isCurrent() {
    return pendingSince == NOTHING;
  }

  /**
   * Newest revision up to which all that concerns the DPU is applied.
   *
   * @param newest revision of the image
   */
  public long confirmed(long newest) {
    return isCurrent() ? newest : Math.min(newest, pendingSince - 1);
  }
}
