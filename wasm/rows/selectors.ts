/** In a selector of a point: its opposite is meant. */
export const OPPOSITE: u8 = 0x80;

/** The address of the row that a selector names, in the list of u32 at `rows`. */
// @ts-ignore: decorator
@inline
export function rowOf(rows: usize, selector: u8): usize {
  return load<u32>(rows + (<usize>(selector & 0x7f) << 2));
}
