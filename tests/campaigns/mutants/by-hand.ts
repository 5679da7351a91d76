/** Mutants that no operator makes: changes that break zero knowledge or a check, and that were once not noticed. */
export interface MutantByHand {
  readonly name: string;
  readonly file: string;
  /** Code that occurs once in the file. */
  readonly find: string;
  readonly replacement: string;
  /** What is to kill it, where the file is in no area. */
  readonly tests?: readonly string[];
}

/** The area of those whose file is in none. */
export const OTHER_AREA = 'by hand';

export const BY_HAND: readonly MutantByHand[] = [
  {
    name: 's = r',
    file: 'sdk/proofs/groth16/prove.ts',
    find: 'return { r: randomScalar(curve), s: randomScalar(curve) };',
    replacement: 'const r = randomScalar(curve); return { r, s: r.slice() };',
  },
  {
    name: 'blinding factors of 8 bits',
    file: 'sdk/proofs/groth16/prove.ts',
    find: 'return { r: randomScalar(curve), s: randomScalar(curve) };',
    replacement: 'return { r: randomScalar(curve).fill(0, 1), s: randomScalar(curve).fill(0, 1) };',
  },
  {
    name: 's is r and a small number',
    file: 'sdk/proofs/groth16/prove.ts',
    find: 'return { r: randomScalar(curve), s: randomScalar(curve) };',
    replacement: 'const r = randomScalar(curve); return { r, s: r.with(0, randomScalar(curve)[0]!) };',
  },
  {
    name: 'one blinding for all proofs',
    file: 'sdk/proofs/groth16/prove.ts',
    find: 'return { r: randomScalar(curve), s: randomScalar(curve) };',
    replacement:
      'const all = globalThis as { pair?: Blinding }; all.pair ??= { r: randomScalar(curve), s: randomScalar(curve) }; return { r: all.pair.r.slice(), s: all.pair.s.slice() };',
  },
  {
    name: 'random scalars whose highest byte is 0',
    file: 'sdk/curves/random.ts',
    find: 'scalar[scalarBytes - 1]! >>= unused;',
    replacement: 'scalar[scalarBytes - 1] = 0;',
  },
  {
    name: 'a fixed key of masks',
    file: 'sdk/bases/scalar-masks.ts',
    find: 'return randomBytes(KEY_BYTES);',
    replacement: 'return randomBytes(KEY_BYTES).fill(7);',
  },
  {
    name: 'a key of masks of 64 bits',
    file: 'sdk/bases/scalar-masks.ts',
    find: 'return randomBytes(KEY_BYTES);',
    replacement: 'return randomBytes(KEY_BYTES).fill(0, 8);',
  },
  {
    name: 'a fixed key of the masks of bases',
    file: 'sdk/bases/random-check.ts',
    find: 'const key = newMaskKey();',
    replacement: 'const key = newMaskKey().fill(1);',
  },
  {
    name: 'the same weights for all rows',
    file: 'sdk/bases/check-arithmetic.ts',
    find: 'return bytes;',
    replacement: 'for (let row = 1; row < count; row++) bytes.copyWithin(row * ROW_BYTES, 0, ROW_BYTES); return bytes;',
  },
  {
    name: 'one factor for all multiplications',
    file: 'sdk/bases/scalar-masks.ts',
    find: 'Array.from({ length: batch }, () => bytesToBigint(randomScalar(this.curve)))',
    replacement: 'new Array<bigint>(batch).fill(bytesToBigint(randomScalar(this.curve)))',
  },
  {
    name: 'a fixed shift in the check of the subgroup',
    file: 'sdk/executors/workers/pool/subgroup-check.ts',
    find: 'const scalars = randomScalar(curve);',
    replacement: 'const scalars = randomScalar(curve).fill(0, 1).fill(1, 0, 1);',
  },
  {
    name: 'the same subsets in all rounds',
    file: 'sdk/executors/workers/kernel/subgroup-kernel.ts',
    find: 'memory.viewUint32(labels, count).set(randomBytes(count));',
    replacement: 'if (round === 0) memory.viewUint32(labels, count).set(randomBytes(count));',
    tests: ['tests/executors/workers/kernel/subset-sums.test.ts'],
  },
  {
    name: 'one byte of the hash of an API key is compared',
    file: 'farm/src/front/api-keys.ts',
    find: 'timingSafeEqual(digest, given)',
    replacement: 'digest[0] === given[0]',
  },
  {
    name: 'an API key is asked for after the body',
    file: 'farm/src/front/callers.ts',
    find: "scope.addHook('preParsing',",
    replacement: "scope.addHook('preValidation',",
  },
];
