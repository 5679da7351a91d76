/** A module with functions a and b of two f64 x, y: lane 0 of f64x2.relaxed_madd and of f64x2.relaxed_nmadd, both applied to x, x, y. */
const PROBE = new Uint8Array([
  // Header; type 0, which is (f64, f64) -> f64; two functions of that type; their exports.
  ...[0, 97, 115, 109, 1, 0, 0, 0],
  ...[1, 7, 1, 96, 2, 124, 124, 1, 124],
  ...[3, 3, 2, 0, 0],
  ...[7, 9, 2, 1, 97, 0, 0, 1, 98, 0, 1],
  // Two bodies: local.get and f64x2.splat three times, the operation, f64x2.extract_lane 0.
  ...[10, 43, 2],
  ...[20, 0, 32, 0, 253, 20, 32, 0, 253, 20, 32, 1, 253, 20, 253, 135, 2, 253, 33, 0, 11],
  ...[20, 0, 32, 0, 253, 20, 32, 0, 253, 20, 32, 1, 253, 20, 253, 136, 2, 253, 33, 0, 11],
]);

let fused: boolean | undefined;

/**
 * Whether relaxed SIMD is available and rounds a fused multiply-add once, as the `-fma` modules require. On machines without the instruction
 * it may round twice, and then the low half of a product is lost: (1 + 2^-52)^2 - (1 + 2^-51) gives 0 instead of 2^-104.
 */
export function hasFusedLanes(): boolean {
  fused ??= WebAssembly.validate(PROBE) && probe();
  return fused;
}

/** False if a Content-Security-Policy forbids compilation; the caller gets that error later, when the curve's own module is compiled. */
function probe(): boolean {
  try {
    return roundsOnce(new WebAssembly.Instance(new WebAssembly.Module(PROBE)).exports);
  } catch {
    return false;
  }
}

function roundsOnce(exports: WebAssembly.Exports): boolean {
  const { a, b } = exports as Record<string, (x: number, y: number) => number>;
  const x = 1 + 2 ** -52;
  const y = 1 + 2 ** -51;
  return a!(x, -y) === 2 ** -104 && b!(x, y) === -(2 ** -104);
}
