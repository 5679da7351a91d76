const FNV_OFFSET = 0xcbf29ce484222325n;
const FNV_PRIME = 0x100000001b3n;

/** The 64-bit FNV-1a hash of a signal's name, by which circom's witness code finds the signal, as high and low words. */
export function signalHash(name: string): { readonly high: number; readonly low: number } {
  let hash = FNV_OFFSET;
  for (const byte of new TextEncoder().encode(name)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * FNV_PRIME);
  }
  return { high: Number(hash >> 32n), low: Number(hash & 0xffffffffn) };
}
