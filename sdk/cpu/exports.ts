/** What every curve's module exports for one group, its names without the prefix `g1_` or `g2_`. Numbers are addresses and counts. */
export interface GroupExports {
  prepare(
    source: number,
    count: number,
    encoding: number,
    target: number,
    indices: number,
    exceptional?: number,
    exceptionalPoints?: number,
    scratch?: number,
  ): number;
  sumSize(): number;
  baseSize(): number;
  loadBases(source: number, count: number, target: number): void;
  setIdentity(sum: number): void;
  addListed(sum: number, bases: number, list: number, from: number, to: number): void;
  clearBuckets(buckets: number, count: number): void;
  fillBuckets(buckets: number, bases: number, list: number, digits: number, from: number, to: number): void;
  sumBuckets(running: number, total: number, buckets: number, from: number, to: number): void;
  shiftAndAdd(sum: number, a: number, doublings: number): void;
  storeAffine(target: number, sum: number): void;
  reduceWindows(sums: number, count: number, windowBits: number, target: number): void;
  combine(points: number, scalars: number, count: number, target: number): void;
  isOnCurve(point: number): number;
}

/** What a group on the Weierstrass form exports beside: buckets in affine coordinates (wasm/pair-tree.ts). */
export interface PairTreeExports {
  pairScratchSize(): number;
  addPairs(
    cursor: number,
    bases: number,
    sorted: number,
    offsets: number,
    buckets: number,
    stride: number,
    slots: number,
    scratch: number,
  ): number;
  sumSlots(running: number, total: number, offsets: number, slots: number, from: number, to: number): void;
}

export function hasPairTree(group: GroupExports): group is GroupExports & PairTreeExports {
  return 'addPairs' in group;
}

/** What every curve's module exports beside its groups. */
export interface CurveExports {
  readonly memory: WebAssembly.Memory;
  heapBase(): number;
  cutDigits(scalars: number, count: number, windowBits: number, windows: number, target: number): void;
  classifyScalars(scalars: number, count: number, full: number, ones: number, onesCount: number): number;
  cutListedDigits(
    scalars: number,
    list: number,
    count: number,
    windowBits: number,
    windows: number,
    target: number,
  ): void;
  countDigits(digits: number, from: number, to: number, offsets: number): void;
  scanCounts(offsets: number, next: number, buckets: number): number;
  scatterDigits(digits: number, list: number, from: number, to: number, next: number, sorted: number): void;
  fr_size(): number;
  fr_loadElements(source: number, count: number, target: number): void;
  fr_storeElements(source: number, count: number, factor: number, target: number): void;
  fr_startTwiddles(table: number): void;
  fr_extendTwiddles(table: number, count: number, g: number, from: number, to: number): void;
  fr_forwardStages(data: number, twiddles: number, first: number, last: number, from: number, to: number): void;
  fr_inverseStages(data: number, twiddles: number, first: number, last: number, from: number, to: number): void;
  fr_shiftElements(data: number, twiddles: number, from: number, to: number): void;
  fr_reverseBits(data: number, logN: number, from: number, to: number): void;
  fr_multiplyElements(a: number, b: number, count: number, target: number): void;
  fr_quotient(a: number, b: number, c: number, count: number, target: number): void;
  r1cs_entrySize(): number;
  r1cs_load(rows: number, count: number, matrix: number, domainSize: number, target: number): number;
  r1cs_evaluate(entries: number, from: number, to: number, witness: number, signals: number, sums: number): number;
  r1cs_storeSums(sums: number, count: number, target: number): void;
}

/** What the module of a curve with a pairing exports beside (wasm/pairing.ts). */
export interface PairingExports {
  g1_isInSubgroup(point: number): number;
  g2_isInSubgroup(point: number): number;
  pairing_pairSize(): number;
  pairing_productIsOne(g1: number, g2: number, count: number, pairs: number): number;
}

export function pairingExports(exports: WebAssembly.Exports): PairingExports | undefined {
  return 'pairing_productIsOne' in exports ? (exports as unknown as PairingExports) : undefined;
}

/** The exports of a group under their own names; undefined where the module has no such group. */
export function groupExports(exports: WebAssembly.Exports, prefix: 'g1' | 'g2'): GroupExports | undefined {
  const names = Object.keys(exports).filter((name) => name.startsWith(`${prefix}_`));
  if (names.length === 0) return undefined;
  return Object.fromEntries(
    names.map((name) => [name.slice(prefix.length + 1), exports[name]]),
  ) as unknown as GroupExports;
}
