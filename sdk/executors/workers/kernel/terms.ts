/** Some of the terms k_i P_i of a multiplication, as lists of u32 at addresses in the kernel's memory. */
export interface Terms {
  /** References to the points. */
  readonly references: number;
  /** The indices of their scalars. */
  readonly numbers: number;
  readonly count: number;
}
