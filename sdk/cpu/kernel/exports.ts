/** What every curve's module exports for one group, its names without the prefix `g1_` or `g2_`. Numbers are addresses and counts. */
export interface GroupExports extends PairTreeExports {
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
  shiftAndAdd(sum: number, a: number, doublings: number): void;
  storeAffine(target: number, sum: number): void;
  reduceWindows(sums: number, count: number, windowBits: number, target: number): void;
  combine(points: number, scalars: number, count: number, target: number): void;
  isOnCurve(point: number): number;
}

/** What the buckets of all groups of a module need. */
interface SortExports {
  countDigits(digits: number, from: number, to: number, offsets: number): void;
  scanCounts(offsets: number, next: number, buckets: number): void;
  endOfStretch(offsets: number, from: number, buckets: number, entries: number, longest: number): number;
  scatterDigits(digits: number, references: number, from: number, to: number, next: number, sorted: number): void;
  listFinite(references: number, buckets: number, digits: number): void;
  listRowsAndColumns(
    references: number,
    buckets: number,
    columnBits: number,
    entries: number,
    at: number,
    offsets: number,
  ): number;
}

/** Buckets in affine coordinates (wasm/msm/pair-tree.ts). */
interface PairTreeExports {
  pairScratchSize(): number;
  addPairs(
    cursor: number,
    sorted: number,
    offsets: number,
    end: number,
    stride: number,
    slots: number,
    scratch: number,
  ): number;
  takeSums(offsets: number, slots: number, from: number, to: number, sums: number): void;
  referToSums(sums: number, from: number, to: number, references: number): void;
  addRunning(running: number, total: number, sums: number, from: number, to: number): void;
}

/** A group and its module. */
export interface PairTreeKernels {
  readonly exports: CurveExports;
  readonly group: GroupExports;
}

/** What a module exports whose scalars can be split in halves (wasm/split-*.ts). */
export interface SplitExports {
  splitScalars(scalars: number, list: number, from: number, to: number): void;
}

/** What a group with the endomorphism that goes with these halves exports. */
export interface MapExports {
  mapPoints(points: number, from: number, to: number): void;
}

/** A group with an endomorphism, and its module. */
export interface SplitKernels {
  readonly exports: SplitExports;
  readonly group: GroupExports & MapExports;
}

export function splitKernels(exports: CurveExports, group: GroupExports): SplitKernels | undefined {
  return 'mapPoints' in group
    ? { exports: exports as unknown as SplitExports, group: group as GroupExports & MapExports }
    : undefined;
}

/** What every curve's module exports beside its groups. */
export interface CurveExports extends SortExports {
  readonly memory: WebAssembly.Memory;
  heapBase(): number;
  cutDigits(scalars: number, count: number, windowBits: number, windows: number, target: number): void;
  listNonzero(scalars: number, count: number, list: number): number;
  gatherScalars(scalars: number, list: number, from: number, to: number): void;
  addBias(numbers: number, from: number, to: number, bias: number): void;
  cutWindow(
    numbers: number,
    size: number,
    from: number,
    to: number,
    at: number,
    bits: number,
    bias: number,
    target: number,
  ): void;
  listReferences(points: number, pointSize: number, list: number, count: number, target: number): void;
  findClasses(
    scalars: number,
    list: number,
    from: number,
    to: number,
    table: number,
    tableBits: number,
    classes: number,
    representatives: number,
    found: number,
  ): number;
  keepFinite(references: number, numbers: number, count: number): number;
  fr_size(): number;
  ntt_elementSize(): number;
  ntt_spreadSize(): number;
  ntt_loadElements(source: number, from: number, to: number, data: number): void;
  ntt_storeElements(data: number, from: number, to: number, target: number): void;
  ntt_storeReversed(
    data: number,
    logN: number,
    bits: number,
    from: number,
    to: number,
    target: number,
    stride: number,
  ): void;
  ntt_scaleElements(data: number, factors: number, from: number, to: number): void;
  ntt_loadFactors(source: number, target: number): void;
  ntt_multiplyFactors(source: number, by: number, from: number, to: number, target: number): void;
  ntt_spreadFactors(factors: number, from: number, to: number, target: number): void;
  ntt_forwardStages(
    data: number,
    n: number,
    factors: number,
    spread: number,
    spreadCount: number,
    first: number,
    last: number,
    from: number,
    to: number,
  ): void;
  ntt_cosetStages(
    data: number,
    factors: number,
    spread: number,
    spreadCount: number,
    first: number,
    last: number,
    from: number,
    to: number,
  ): void;
  ntt_multiplyElements(a: number, b: number, count: number, target: number): void;
  ntt_quotient(a: number, b: number, c: number, count: number, target: number): void;
  r1cs_entrySize(): number;
  r1cs_load(rows: number, count: number, matrix: number, domainSize: number, target: number, cursor: number): number;
  r1cs_evaluate(entries: number, from: number, to: number, witness: number, signals: number, sums: number): number;
  r1cs_storeSums(sums: number, count: number, target: number): void;
}

/** What the module of a curve with a pairing exports beside (wasm/pairing/pairing.ts). */
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
