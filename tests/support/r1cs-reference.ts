import { bytesToBigint } from '../../sdk/base/bytes.js';

/** What a .r1cs says, read in the plainest way. */
export interface ReadR1cs {
  readonly prime: bigint;
  readonly elementBytes: number;
  readonly wires: number;
  readonly publicOutputs: number;
  readonly publicInputs: number;
  readonly privateInputs: number;
  readonly labels: number;
  readonly hasCustomGates: boolean;
  /**
   * Three sums each: wire and coefficient of every term. Undefined if the header is right and the constraints are not.
   */
  readonly constraints: readonly (readonly Term[])[][] | undefined;
}

export type Term = readonly [wire: number, coefficient: bigint];

/** Reads a .r1cs of version 1 with all of its bytes in memory. Undefined for what is no such file. */
export function referenceR1cs(file: Uint8Array): ReadR1cs | undefined {
  try {
    return readFile(file);
  } catch (error) {
    // Reading beyond the end of the bytes.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function readFile(file: Uint8Array): ReadR1cs | undefined {
  const view = new DataView(file.buffer, file.byteOffset, file.length);
  if (String.fromCharCode(...file.subarray(0, 4)) !== 'r1cs' || view.getUint32(4, true) !== 1) return undefined;
  const count = view.getUint32(8, true);
  if (count > 64) return undefined;
  const sections: { readonly id: number; readonly body: Uint8Array }[] = [];
  for (let i = 0, at = 12; i < count; i++) {
    const end = at + 12 + Number(view.getBigUint64(at + 4, true));
    if (end > file.length) return undefined;
    sections.push({ id: view.getUint32(at, true), body: file.subarray(at + 12, end) });
    at = end;
  }
  const only = (id: number): Uint8Array | undefined => {
    const found = sections.filter((section) => section.id === id);
    return found.length === 1 ? found[0]!.body : undefined;
  };
  const header = only(1);
  if (header === undefined) return undefined;
  const read = readHeader(header);
  if (read === undefined) return undefined;
  const { constraints, ...rest } = read;
  const body = only(2);
  return {
    ...rest,
    hasCustomGates: [4, 5].every((id) => sections.some((section) => section.id === id)),
    constraints: body && readConstraints(body, constraints, rest),
  };
}

function readHeader(bytes: Uint8Array) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const elementBytes = view.getUint32(0, true);
  if (bytes.length !== 4 + elementBytes + 28 || elementBytes > 128) return undefined;
  const prime = bytesToBigint(bytes, 4, elementBytes);
  if (prime < 3n || prime % 2n === 0n || elementBytes % 8 !== 0 || prime < 1n << BigInt(8 * (elementBytes - 8))) {
    return undefined;
  }
  const at = 4 + elementBytes;
  const [wires, publicOutputs, publicInputs, privateInputs] = [0, 4, 8, 12].map((i) =>
    view.getUint32(at + i, true),
  ) as [number, number, number, number];
  const labels = view.getBigUint64(at + 16, true);
  if (wires < 1 + publicOutputs + publicInputs || labels >= 2n ** 53n) return undefined;
  const constraints = view.getUint32(at + 24, true);
  return {
    prime,
    elementBytes,
    wires,
    publicOutputs,
    publicInputs,
    privateInputs,
    labels: Number(labels),
    constraints,
  };
}

function readConstraints(
  bytes: Uint8Array,
  count: number,
  { prime, elementBytes, wires }: Pick<ReadR1cs, 'prime' | 'elementBytes' | 'wires'>,
): ReadR1cs['constraints'] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const constraints: (readonly Term[])[][] = [];
  let at = 0;
  for (let i = 0; i < 3 * count; i++) {
    if (at + 4 > bytes.length) return undefined;
    const terms = view.getUint32(at, true);
    at += 4;
    if (terms > bytes.length) return undefined;
    const sum: Term[] = [];
    for (let t = 0; t < terms; t++, at += 4 + elementBytes) {
      if (at + 4 + elementBytes > bytes.length) return undefined;
      sum.push([view.getUint32(at, true), bytesToBigint(bytes, at + 4, elementBytes)]);
    }
    const used = new Set(sum.map(([wire]) => wire));
    if (used.size !== sum.length || sum.some(([wire, value]) => wire >= wires || value >= prime)) return undefined;
    if (i % 3 === 0) constraints.push([]);
    constraints.at(-1)!.push(sum);
  }
  return at === bytes.length ? constraints : undefined;
}
