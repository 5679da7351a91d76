/**
 * The scalars of a multiplication, or of several one after another: 32 bytes each, canonical (below r), little-endian. They lie
 * in this thread's memory; a vector in the memory of a GPU will be another variant.
 */
export type ScalarVector = { readonly kind: 'host'; readonly bytes: Uint8Array };

export function hostScalars(bytes: Uint8Array): ScalarVector {
  return { kind: 'host', bytes };
}
