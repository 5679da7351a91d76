/** The SHA-256 of bytes that come one part after another, which WebCrypto cannot compute. */
export interface IncrementalSha256 {
  /** Takes the next bytes. They are not needed afterwards. */
  update(part: Uint8Array): unknown;
  /** The hash of all bytes. It is called once, at the end. */
  digest(): Uint8Array;
}

/** Makes one. It is a promise, since the code may have to be loaded first. */
export type MakeSha256 = () => Promise<IncrementalSha256>;

/** The same parts, which `hash` takes as they pass. */
export async function* hashedOnTheWay(
  parts: AsyncIterable<Uint8Array>,
  hash: IncrementalSha256,
): AsyncGenerator<Uint8Array> {
  for await (const part of parts) {
    hash.update(part);
    yield part;
  }
}
