/**
 * The scalars of a multiplication, or of several one after another: 32 bytes each, canonical (below r), little-endian. `host` says that they
 * are in this thread's memory.
 */
export type ScalarVector = { readonly kind: 'host'; readonly bytes: Uint8Array };

export function hostScalars(bytes: Uint8Array): ScalarVector {
  return { kind: 'host', bytes };
}
