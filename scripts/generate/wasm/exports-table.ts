import type { CurveParameters, GroupId } from '../../../sdk/curves/index.js';

/**
 * What the kernels' modules export, in parts that a module has as a whole or not at all. From this table the entry
 * modules of wasm/ and the types of sdk/executors/workers/kernel are generated. A curve has two kinds of modules: one
 * for its points, which every prover needs, and one for its scalars, which is needed where the workers compute sums and
 * transforms. Curves with transforms have one for vectors of scalars (PLONK, FFLONK, KZG), curves of proving keys one
 * for the square roots of packed keys, and one for the points of ceremonies.
 */
export type Part =
  | 'core'
  | 'group'
  | 'map'
  | 'pairing'
  | 'roots'
  | 'rows'
  | 'rowGroup'
  | 'scalars'
  | 'halves'
  | 'transforms'
  | 'constraints'
  | 'elements';

/** An exported function. */
export interface Export {
  /** `name(parameter: type, ..): type`; the functions of a group get the prefix `g1_` or `g2_`. */
  readonly signature: string;
  /**
   * The function behind it, which takes the same parameters, with its type arguments; or an expression with
   * parentheses.
   */
  readonly implementation: string;
}

/**
 * How a module computes with coordinates: one at a time, in limbs of 29 bits or with wide arithmetic, or two in lanes,
 * by fused multiply-adds or by products of integers.
 */
export type CoordinateForm = 'i64' | 'wide' | 'lanes' | 'integer-lanes';

/** The AssemblyScript types over which a module's functions are generic. */
export interface ModuleTypes {
  /** The field of the transforms. */
  readonly transformField: string;
  /** Type arguments of the pairing's functions. */
  readonly pairing: string;
  readonly g1: GroupTypes;
}

/** The AssemblyScript types of one group. */
export interface GroupTypes {
  /** What adds bases in pairs. */
  readonly pairs: string;
  /** What takes the steps of rows of points. */
  readonly rows: string;
  /** The group of sums in XYZZ coordinates. */
  readonly sums: string;
  /** The group of a backend's window sums. */
  readonly windowSums: string;
  /** The group of a few affine points in the boundary form. */
  readonly affine: string;
  /** The types that convert an XYZZ sum, and a sum of windows, to the boundary form. */
  readonly sumsOut: string;
  readonly windowSumsOut: string;
  /**
   * Functions of the group's form: checking and preparing, loading what is prepared, and the way back, the curve's
   * equation.
   */
  readonly prepare: string;
  readonly loadBases: string;
  readonly storeMultiples: string;
  readonly isOnCurve: string;
  readonly isSumOnCurve: string;
}

/** Where a module's own data end in memory. */
const HEAP_BASE: Export = { signature: 'heapBase(): usize', implementation: '(__heap_base)' };

/** What a points module exports beside its groups. */
export const CORE: readonly Export[] = [
  HEAP_BASE,
  {
    signature:
      'listReferences(points: usize, pointSize: usize, list: usize, count: i32, signs: usize, target: usize): void',
    implementation: 'listReferences',
  },
  { signature: 'countDigits(digits: usize, from: i32, to: i32, offsets: usize): void', implementation: 'countDigits' },
  { signature: 'scanCounts(offsets: usize, next: usize, buckets: i32): void', implementation: 'scanCounts' },
  {
    signature: 'endOfStretch(offsets: usize, from: i32, buckets: i32, entries: i32, longest: usize): i32',
    implementation: 'endOfStretch',
  },
  {
    signature: 'scatterDigits(digits: usize, references: usize, from: i32, to: i32, next: usize, sorted: usize): void',
    implementation: 'scatterDigits',
  },
  { signature: 'listFinite(references: usize, buckets: i32, digits: usize): void', implementation: 'listFinite' },
  {
    signature:
      'listRowsAndColumns(references: usize, buckets: i32, columnBits: i32, entries: usize, at: i32, offsets: usize): i32',
    implementation: 'listRowsAndColumns',
  },
];

/** What every scalars module exports. */
export const SCALARS: readonly Export[] = [
  HEAP_BASE,
  {
    signature: 'scalars_centre(scalars: usize, from: i32, to: i32, order: usize, signs: usize): i32',
    implementation: 'centreScalars<Scalars>',
  },
  {
    signature: 'scalars_toCanonical(scalars: usize, count: i32, order: usize, inverse: u32): void',
    implementation: 'canonicalScalars<Scalars>',
  },
  {
    signature:
      'scalars_mask(scalars: usize, count: i32, first: u32, key: usize, factor: usize, order: usize, inverse: u32, product: usize): void',
    implementation: 'maskScalars<Scalars>',
  },
  {
    signature: 'scalars_listNonzero(scalars: usize, count: i32, list: usize): i32',
    implementation: 'listNonzero<Scalars>',
  },
  {
    signature: 'scalars_gather(scalars: usize, list: usize, from: i32, to: i32): void',
    implementation: 'gatherScalars<Scalars>',
  },
  {
    signature:
      'scalars_findClasses(scalars: usize, list: usize, from: i32, to: i32, table: usize, tableBits: i32, classes: usize, representatives: usize, found: i32): i32',
    implementation: 'findClasses<Scalars>',
  },
  { signature: 'keepFinite(references: usize, numbers: usize, count: i32): i32', implementation: 'keepFinite' },
  {
    signature: 'scalars_cutDigits(scalars: usize, count: i32, windowBits: u32, windows: u32, target: usize): void',
    implementation: 'cutDigits<Scalars>',
  },
  {
    signature: 'scalars_addBias(numbers: usize, from: i32, to: i32, bias: usize): void',
    implementation: 'addBias<Scalars>',
  },
  {
    signature:
      'scalars_cutWindow(numbers: usize, size: u32, from: i32, to: i32, at: u32, bits: u32, bias: i32, target: usize): void',
    implementation: 'cutWindow<Scalars>',
  },
  { signature: 'shortAccumulatorSize(): i32', implementation: '(SHORT_ACCUMULATOR)' },
  { signature: 'longAccumulatorSize(): i32', implementation: 'longAccumulator<Scalars>' },
  {
    signature: 'setMasks(accumulators: usize, size: usize, count: i32, first: u32, key: usize): void',
    implementation: 'setMasks',
  },
  {
    signature:
      'scalars_addShortDigits(accumulators: usize, scalars: usize, count: i32, windowBits: u32, windows: u32, weights: usize, signs: usize): void',
    implementation: 'addShortDigits<Scalars>',
  },
  {
    signature:
      'scalars_addDigits(accumulators: usize, scalars: usize, count: i32, windowBits: u32, windows: u32, weights: usize, signs: usize): void',
    implementation: 'addDigits<Scalars>',
  },
  {
    signature: 'storeShortScalars(accumulators: usize, count: i32, target: usize): void',
    implementation: 'storeShortScalars',
  },
  {
    signature: 'scalars_storeCheck(accumulators: usize, count: i32, order: usize, target: usize): void',
    implementation: 'storeCheckScalars<Scalars>',
  },
];

/** The functions of one group, without their prefix. */
export const group = (types: GroupTypes): readonly Export[] => [
  {
    signature:
      'prepare(source: usize, count: i32, encoding: i32, target: usize, indices: usize, exceptional: usize, exceptionalPoints: usize, scratch: usize): i32',
    implementation: types.prepare,
  },
  { signature: 'baseSize(): usize', implementation: `(the<${types.pairs}>().pointSize)` },
  { signature: 'loadBases(source: usize, count: i32, target: usize): void', implementation: types.loadBases },
  {
    signature: 'doublePoints(points: usize, count: i32, scratch: usize): bool',
    implementation: `doublePoints<${types.pairs}>`,
  },
  {
    signature: 'storeMultiples(source: usize, count: i32, target: usize, scratch: usize): bool',
    implementation: types.storeMultiples,
  },
  { signature: 'pairScratchSize(): usize', implementation: `pairScratchSize<${types.pairs}>` },
  {
    signature:
      'addPairs(cursor: usize, sorted: usize, offsets: usize, end: i32, stride: i32, slots: usize, scratch: usize): bool',
    implementation: `addPairs<${types.pairs}>`,
  },
  {
    signature: 'takeSums(offsets: usize, slots: usize, from: i32, to: i32, sums: usize): void',
    implementation: `takeSums<${types.pairs}>`,
  },
  {
    signature: 'referToSums(sums: usize, from: i32, to: i32, references: usize): void',
    implementation: `referToSums<${types.pairs}>`,
  },
  {
    signature: 'addRunning(running: usize, total: usize, sums: usize, from: i32, to: i32): void',
    implementation: `addRunning<${types.pairs}>`,
  },
  { signature: 'sumSize(): usize', implementation: `(the<${types.sums}>().sumSize)` },
  { signature: 'setIdentity(sum: usize): void', implementation: `the<${types.sums}>().setIdentity` },
  {
    signature: 'shiftAndAdd(sum: usize, a: usize, doublings: u32): void',
    implementation: `shiftAndAdd<${types.sums}>`,
  },
  { signature: 'storeAffine(target: usize, sum: usize): void', implementation: `the<${types.sumsOut}>().storeAffine` },
  {
    signature: 'reduceWindows(sums: usize, count: i32, windowBits: u32, target: usize): void',
    implementation: `reduceWindows<${types.windowSums}, ${types.windowSumsOut}>`,
  },
  {
    signature: 'combine(points: usize, scalars: usize, count: i32, target: usize): void',
    implementation: `combine<${types.affine}, Scalars>`,
  },
  { signature: 'isOnCurve(point: usize): bool', implementation: types.isOnCurve },
  { signature: 'isSumOnCurve(sum: usize): bool', implementation: types.isSumOnCurve },
  { signature: 'rowSize(): i32', implementation: '(ROW_SIZE)' },
  {
    signature:
      'combineRows(sums: usize, rows: i32, bits: i32, weights: usize, weightBits: i32, scratch: usize, target: usize): void',
    implementation: `combineRows<${types.windowSums}, ${types.windowSumsOut}>`,
  },
];

/** The map of G1 that goes with scalars split in halves. */
export const map = ({ g1 }: ModuleTypes): readonly Export[] => [
  {
    signature: 'g1_mapPoints(points: usize, from: i32, to: i32): void',
    implementation: `(mapPoints<${g1.pairs}>(BETA, points, from, to))`,
  },
];

/** Scalars split in halves. */
export const HALVES: readonly Export[] = [
  { signature: 'halfBits(): i32', implementation: '(HALF_BITS)' },
  { signature: 'splitScalars(scalars: usize, list: usize, from: i32, to: i32): void', implementation: 'splitScalars' },
];

export const transforms = ({ transformField: field }: ModuleTypes): readonly Export[] => [
  { signature: 'ntt_elementSize(): usize', implementation: `elementSize<${field}>` },
  { signature: 'ntt_spreadSize(): usize', implementation: `spreadSize<${field}>` },
  {
    signature: 'ntt_loadElements(source: usize, from: i32, to: i32, data: usize): void',
    implementation: `loadElements<${field}>`,
  },
  {
    signature: 'ntt_storeElements(data: usize, from: i32, to: i32, target: usize): void',
    implementation: `storeElements<${field}>`,
  },
  {
    signature:
      'ntt_storeReversed(data: usize, logN: i32, bits: i32, from: i32, to: i32, target: usize, stride: usize): void',
    implementation: `storeReversed<${field}>`,
  },
  {
    signature: 'ntt_scaleElements(data: usize, factors: usize, from: i32, to: i32): void',
    implementation: `scaleElements<${field}>`,
  },
  { signature: 'ntt_loadFactors(source: usize, target: usize): void', implementation: `loadFactors<${field}>` },
  {
    signature: 'ntt_multiplyFactors(source: usize, by: usize, from: i32, to: i32, target: usize): void',
    implementation: `multiplyFactors<${field}>`,
  },
  {
    signature: 'ntt_spreadFactors(factors: usize, from: i32, to: i32, target: usize): void',
    implementation: `spreadFactors<${field}>`,
  },
  {
    signature:
      'ntt_forwardStages(data: usize, n: i32, factors: usize, spread: usize, spreadCount: i32, first: i32, last: i32, from: i32, to: i32): void',
    implementation: `forwardStages<${field}>`,
  },
  {
    signature:
      'ntt_cosetStages(data: usize, factors: usize, spread: usize, spreadCount: i32, first: i32, last: i32, from: i32, to: i32): void',
    implementation: `cosetStages<${field}>`,
  },
  {
    signature: 'ntt_multiplyElements(a: usize, b: usize, count: i32, target: usize): void',
    implementation: `multiplyElements<${field}>`,
  },
  {
    signature: 'ntt_multiplySubtract(a: usize, b: usize, c: usize, count: i32, target: usize): void',
    implementation: `multiplySubtract<${field}>`,
  },
];

export const CONSTRAINTS: readonly Export[] = [
  { signature: 'fr_size(): usize', implementation: '(the<Fr>().size)' },
  { signature: 'r1cs_entrySize(): usize', implementation: 'entrySize' },
  {
    signature: 'r1cs_load(rows: usize, count: i32, matrix: u32, domainSize: u32, target: usize, cursor: usize): i32',
    implementation: 'loadConstraints<Fr>',
  },
  {
    signature:
      'r1cs_evaluate(entries: usize, from: i32, to: i32, witness: usize, signals: u32, skipsZeros: i32, sums: usize): i32',
    implementation: 'evaluateConstraints<Fr>',
  },
  { signature: 'r1cs_storeSums(sums: usize, count: i32, target: usize): void', implementation: 'storeSums<Fr>' },
];

/** Operations on vectors over the scalar field. */
export const ELEMENTS: readonly Export[] = [
  HEAP_BASE,
  { signature: 'elements_size(): usize', implementation: '(the<Fr>().size)' },
  { signature: 'elements_run(program: usize, count: i32, length: i32): void', implementation: 'runProgram<Fr>' },
  {
    signature: 'elements_store(register: usize, count: i32, target: usize): void',
    implementation: 'storeRegister<Fr>',
  },
  {
    signature: 'elements_prefixProducts(values: usize, count: i32, product: usize): void',
    implementation: 'prefixProducts<Fr>',
  },
  {
    signature: 'elements_nonzeroProducts(values: usize, count: i32, products: usize, product: usize): void',
    implementation: 'nonzeroProducts<Fr>',
  },
  {
    signature: 'elements_invertByProducts(values: usize, count: i32, products: usize, inverse: usize): void',
    implementation: 'invertByProducts<Fr>',
  },
  {
    signature:
      'elements_horner(coefficients: usize, count: i32, first: i32, k: i32, x: usize, carries: usize, target: usize): void',
    implementation: 'hornerSteps<Fr>',
  },
  {
    signature: 'elements_scaleByPowers(values: usize, count: i32, power: usize, base: usize): void',
    implementation: 'scaleByPowers<Fr>',
  },
  {
    signature: 'elements_addSignals(additions: usize, count: i32, values: usize, signals: u32): i32',
    implementation: 'addSignals<Fr>',
  },
  {
    signature: 'elements_gather(list: usize, count: i32, values: usize, signals: u32, target: usize): i32',
    implementation: 'gatherValues',
  },
];

export const pairing = ({ pairing: types }: ModuleTypes): readonly Export[] => [
  {
    signature: 'pairing_batchIsOne(g1: usize, g2: usize, weights: usize, count: i32, pairs: usize): i32',
    implementation: `batchIsOne<${types}>`,
  },
  { signature: 'pairing_isInG1(point: usize): bool', implementation: `isInG1<${types}>` },
  { signature: 'pairing_isInG2(point: usize): bool', implementation: `isInG2<${types}>` },
  { signature: 'pairing_pairSize(): usize', implementation: 'pairSize<Fq>' },
  {
    signature: 'pairing_productIsOne(g1: usize, g2: usize, count: i32, pairs: usize): i32',
    implementation: `productIsOne<${types}>`,
  },
  {
    signature: 'pairing_storeProduct(g1: usize, g2: usize, count: i32, pairs: usize, target: usize): i32',
    implementation: `storeProduct<${types}>`,
  },
];

/** Points from x and a sign, on curves whose proving keys can be packed. */
export function roots(form: CoordinateForm): Export[] {
  const powers = form === 'lanes' ? 'LanePowers<Fq, FqLanes>' : 'SinglePowers<Fq>';
  return [
    HEAP_BASE,
    {
      signature: 'g1_decompress(source: usize, count: i32, constants: usize, target: usize): i32',
      implementation: `(decompress<Fq, Fq, PrimeRoots<Fq, ${powers}>>(source, count, G1_B, constants, target))`,
    },
    {
      signature: 'g2_decompress(source: usize, count: i32, constants: usize, target: usize): i32',
      implementation: `(decompress<Fq, Fq2<Fq>, QuadraticRoots<Fq, ${powers}>>(source, count, G2_B, constants, target))`,
    },
    {
      signature: 'multiply(source: usize, count: i32, constants: usize, target: usize): void',
      implementation: 'packedProducts<Fq>',
    },
  ];
}

/** What a module of rows of points exports beside its groups. */
export const rows = ({ g1 }: ModuleTypes): readonly Export[] => [
  HEAP_BASE,
  {
    signature: 'g1_mapRow(row: usize, count: i32, target: usize): void',
    implementation: `(the<${g1.rows}>().map(row, BETA, count, target))`,
  },
];

/** Rows of points of one group, without their prefix. */
export const rowGroup = ({ rows }: GroupTypes): readonly Export[] => [
  { signature: 'rowBytes(count: i32): usize', implementation: `the<${rows}>().size` },
  { signature: 'rowScratchBytes(count: i32): usize', implementation: `the<${rows}>().scratchSize` },
  { signature: 'loadRow(source: usize, count: i32, row: usize): void', implementation: `the<${rows}>().load` },
  { signature: 'storeRow(row: usize, count: i32, target: usize): void', implementation: `the<${rows}>().store` },
  {
    signature: 'copyRow(row: usize, negative: bool, count: i32, target: usize): void',
    implementation: `the<${rows}>().copy`,
  },
  {
    signature: 'selectRow(rows: usize, selectors: usize, count: i32, target: usize): void',
    implementation: `the<${rows}>().select`,
  },
  { signature: 'doubleRow(row: usize, count: i32, scratch: usize): bool', implementation: `the<${rows}>().double` },
  {
    signature: 'addRows(a: usize, b: usize, negative: bool, count: i32, scratch: usize, target: usize): bool',
    implementation: `the<${rows}>().add`,
  },
  {
    signature: 'addTwice(row: usize, b: usize, negative: bool, count: i32, scratch: usize): bool',
    implementation: `the<${rows}>().addTwice`,
  },
];

/**
 * The files of wasm/ that have the names used by implementations. Under `generated/`, the curve's id is put before the
 * file's name.
 */
export const SOURCES: Readonly<Record<string, readonly string[]>> = {
  'curve/affine-edwards': ['loadEdwardsPoints'],
  'curve/decompress': ['decompress', 'LanePowers', 'packedProducts', 'PrimeRoots', 'QuadraticRoots', 'SinglePowers'],
  'curve/edwards': ['Edwards'],
  'curve/edwards-boundary': ['EdwardsBoundary', 'isOnEdwards', 'prepareFromEdwards'],
  'curve/edwards-map': ['WeierstrassImage'],
  'curve/endomorphism': ['mapPoints'],
  'curve/lane-edwards': ['loadEdwardsPairs'],
  'curve/sum-on-curve': ['isSumOnEdwards', 'isSumOnWeierstrass'],
  'curve/weierstrass': ['isOnCurve', 'Weierstrass', 'ZeroA'],
  'field/field': ['the'],
  'field/fq2': ['Fq2'],
  'field/fq2-lanes': ['Fq2Lanes'],
  'msm/affine-pairs': ['AffinePairs'],
  'msm/centre': ['centreScalars'],
  'msm/check-scalars': [
    'addDigits',
    'addShortDigits',
    'longAccumulator',
    'setMasks',
    'SHORT_ACCUMULATOR',
    'storeCheckScalars',
    'storeShortScalars',
  ],
  'msm/combine-rows': ['combineRows', 'ROW_SIZE'],
  'msm/digits': ['addBias', 'cutDigits', 'cutWindow'],
  'msm/equal-scalars': ['findClasses', 'keepFinite'],
  'msm/lane-pairs': ['LanePairs'],
  'msm/mask-scalars': ['maskScalars'],
  'msm/montgomery-scalars': ['canonicalScalars'],
  'msm/msm': ['gatherScalars', 'listNonzero', 'listReferences', 'loadPreparedPoints', 'shiftAndAdd'],
  'msm/multiples': ['doublePoints', 'storeEdwardsMultiples', 'storeMultiples'],
  'msm/pair-tree': [
    'addPairs',
    'addRunning',
    'countDigits',
    'endOfStretch',
    'listFinite',
    'listRowsAndColumns',
    'pairScratchSize',
    'referToSums',
    'scanCounts',
    'scatterDigits',
    'takeSums',
  ],
  'msm/reduce': ['combine', 'reduceWindows'],
  'ntt/ntt': [
    'cosetStages',
    'elementSize',
    'forwardStages',
    'loadElements',
    'loadFactors',
    'multiplyElements',
    'multiplyFactors',
    'multiplySubtract',
    'scaleElements',
    'spreadFactors',
    'spreadSize',
    'storeElements',
    'storeReversed',
  ],
  'ntt/elements': [
    'addSignals',
    'gatherValues',
    'hornerSteps',
    'invertByProducts',
    'nonzeroProducts',
    'prefixProducts',
    'runProgram',
    'scaleByPowers',
    'storeRegister',
  ],
  'ntt/r1cs': ['entrySize', 'evaluateConstraints', 'loadConstraints', 'storeSums'],
  'pairing/batch': ['batchIsOne'],
  'pairing/bls12': ['BarretoLynnScott12'],
  'pairing/bn': ['BarretoNaehrig'],
  'pairing/pairing': ['isInG1', 'isInG2', 'pairSize', 'productIsOne', 'storeProduct'],
  'prepare/prepare': ['prepareWeierstrass'],
  'prepare/prepare-edwards': ['prepareEdwards'],
  'rows/affine-rows': ['AffineRows'],
  'rows/lane-rows': ['LaneRows'],
  'generated/constants': ['EdwardsForm', 'G1_B', 'G2_B', 'LinearTerm', 'Scalars'],
  'generated/endomorphism': ['BETA', 'HALF_BITS', 'splitScalars'],
  'generated/fq': ['Fq'],
  'generated/fq-integer-lanes': ['FqIntegerLanes'],
  'generated/fq-lanes': ['FqLanes'],
  'generated/fr': ['Fr'],
  'generated/fr-lanes': ['FrLanes'],
  'generated/integer-lane-constants': ['EdwardsFormIntegerLanes'],
  'generated/lane-constants': ['EdwardsFormLanes'],
  'generated/pairing': ['PairingConstants'],
};

/** The types of a curve's module. */
export function moduleTypes(curve: CurveParameters, form: CoordinateForm): ModuleTypes {
  const { pairing: found } = curve;
  const family = found?.family === 'bn' ? 'BarretoNaehrig' : 'BarretoLynnScott12';
  return {
    transformField: form === 'lanes' && curve.transforms?.inLanes ? 'FrLanes' : 'Fr',
    pairing: `Fq, PairingConstants, ${family}<Fq, PairingConstants>`,
    g1: groupTypes(curve, 'g1', form),
  };
}

export function groupTypes(curve: CurveParameters, id: GroupId, form: CoordinateForm): GroupTypes {
  const field = id === 'g1' ? 'Fq' : 'Fq2<Fq>';
  const fqLanes = form === 'integer-lanes' ? 'FqIntegerLanes' : 'FqLanes';
  const lanes = id === 'g1' ? fqLanes : `Fq2Lanes<${fqLanes}>`;
  const edwardsLanes = form === 'integer-lanes' ? 'EdwardsFormIntegerLanes' : 'EdwardsFormLanes';
  const a = id === 'g1' && curve.g1.a !== 0n ? 'LinearTerm' : 'ZeroA';
  const b = id === 'g1' ? 'G1_B' : 'G2_B';
  const weierstrass = `Weierstrass<${field}, ${a}>`;
  const edwards = `Edwards<${field}, EdwardsForm>`;
  const isSingle = form === 'i64' || form === 'wide';
  const pairs = isSingle ? `AffinePairs<${field}, ${a}>` : `LanePairs<${lanes}, ${field}, ${a}>`;
  const onWeierstrass = {
    pairs,
    rows: isSingle ? `AffineRows<${field}>` : `LaneRows<${lanes}, ${field}>`,
    sums: weierstrass,
    windowSums: weierstrass,
    affine: weierstrass,
    sumsOut: weierstrass,
    windowSumsOut: weierstrass,
    prepare: `(prepareWeierstrass<${field}, ${a}>(source, count, encoding, ${b}, target, indices))`,
    loadBases: `loadPreparedPoints<${pairs}>`,
    storeMultiples: `(storeMultiples<${pairs}, ${field}>(source, count, target))`,
    isOnCurve: `(isOnCurve<${field}, ${a}>(point, ${b}))`,
    isSumOnCurve: `(isSumOnWeierstrass<${field}, ${a}>(sum, ${b}))`,
  };
  if (id === 'g2' || curve.edwards === undefined) return onWeierstrass;
  const onEdwards = {
    ...onWeierstrass,
    windowSums: edwards,
    windowSumsOut: `WeierstrassImage<${field}, EdwardsForm>`,
    isSumOnCurve: `isSumOnEdwards<${field}, EdwardsForm>`,
    prepare: `(prepareEdwards<${field}, ${a}, EdwardsForm>(source, count, encoding, ${b}, target, indices, exceptional, exceptionalPoints, scratch))`,
    loadBases: isSingle
      ? `loadEdwardsPoints<${field}, EdwardsForm>`
      : `loadEdwardsPairs<${lanes}, ${field}, ${edwardsLanes}>`,
    storeMultiples: `storeEdwardsMultiples<${pairs}, ${field}, EdwardsForm>`,
  };
  if (curve.boundary === 'weierstrass') return onEdwards;
  return {
    ...onEdwards,
    affine: edwards,
    sumsOut: `EdwardsBoundary<${field}, EdwardsForm>`,
    windowSumsOut: edwards,
    prepare: `(prepareFromEdwards<${field}, EdwardsForm>(source, count, encoding, target, indices, exceptional, exceptionalPoints))`,
    isOnCurve: `isOnEdwards<${field}, EdwardsForm>`,
  };
}
