/** circom's export that puts a value of the witness into the window. */
export const GET_WITNESS = 'getWitness';

/** Our export that a circuit gets besides, which calls it for several values (wasm/circuit/witness.ts). */
export const COPY_WITNESS = 'copyWitness';

/** circom's names of the functions that are exchanged. */
export const EXCHANGED_NAMES = [
  'Fr_F1m_mul',
  'Fr_F1m_square',
  'Fr_F1m_toMontgomery',
  'Fr_F1m_fromMontgomery',
  'Fr_int_inverseMod',
  'Fr_F1m_add',
  'Fr_F1m_sub',
  'Fr_isNegative',
  'Fr_toInt',
  'Fr_eqR',
  'Fr_gtR',
  'Fr_add',
  'Fr_sub',
  'Fr_mul',
  'Fr_eq',
  'Fr_lt',
  'Fr_isTrue',
] as const;

export type ExchangedName = (typeof EXCHANGED_NAMES)[number];

/** A function of circom's: the bytes of its code, and its fingerprint (`Linker.fingerprint`). */
export interface KnownFunction {
  readonly bytes: number;
  readonly fingerprint: string;
}

/** circom's copy of a number, of 40 bytes. Its calls are merged (`Linker.mergeCopies`). */
export const COPY: KnownFunction = { bytes: 52, fingerprint: '77172b9fa4d58f0b' };

/** The functions that are the same over both fields. */
const OF_BOTH = {
  Fr_int_inverseMod: { bytes: 289, fingerprint: 'a86b23e80c2ad5cb' },
  Fr_F1m_add: { bytes: 44, fingerprint: '14354c4b3d4e4e94' },
  Fr_F1m_sub: { bytes: 23, fingerprint: '87e39292494ef629' },
  Fr_isTrue: { bytes: 31, fingerprint: 'a6ead82bf8dffbb4' },
} as const;

/** The functions as circom 2 emits them over the prime fields of BN254's and BLS12-381's scalars. */
export const KNOWN_FUNCTIONS: readonly {
  readonly modulus: bigint;
  readonly functions: Readonly<Record<ExchangedName, KnownFunction>>;
}[] = [
  {
    modulus: 0x30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000001n,
    functions: {
      Fr_F1m_mul: { bytes: 3962, fingerprint: 'ef53ba4034101079' },
      Fr_F1m_square: { bytes: 4227, fingerprint: '3ad79352d4386912' },
      Fr_F1m_toMontgomery: { bytes: 11, fingerprint: '820f27b9b0029d2d' },
      Fr_F1m_fromMontgomery: { bytes: 21, fingerprint: '5146cbce62123612' },
      Fr_isNegative: { bytes: 37, fingerprint: 'f6feedf838e4bd7e' },
      Fr_toInt: { bytes: 31, fingerprint: '2d04b78c86c5a21e' },
      Fr_eqR: { bytes: 393, fingerprint: '7909ea715f58ddc0' },
      Fr_gtR: { bytes: 287, fingerprint: 'e12eedf0ee1fb140' },
      Fr_add: { bytes: 428, fingerprint: '53475332345ba30b' },
      Fr_sub: { bytes: 428, fingerprint: '9b8959acaeb034ee' },
      Fr_mul: { bytes: 431, fingerprint: '95b13015deb21e05' },
      Fr_eq: { bytes: 26, fingerprint: '75ef2f71a3fc3bcf' },
      Fr_lt: { bytes: 43, fingerprint: '184a08551530f367' },
      ...OF_BOTH,
    },
  },
  {
    modulus: 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n,
    functions: {
      Fr_F1m_mul: { bytes: 3962, fingerprint: '4bc5987bcdc5553a' },
      Fr_F1m_square: { bytes: 4227, fingerprint: 'd898762fc346e74d' },
      Fr_F1m_toMontgomery: { bytes: 11, fingerprint: '3e89edccef94421d' },
      Fr_F1m_fromMontgomery: { bytes: 21, fingerprint: '159297652fb4e9fd' },
      Fr_isNegative: { bytes: 37, fingerprint: '3aaecb00ac1652f8' },
      Fr_toInt: { bytes: 31, fingerprint: '29b19c8d68c11722' },
      Fr_eqR: { bytes: 393, fingerprint: '7af7273e087b15f2' },
      Fr_gtR: { bytes: 287, fingerprint: '9a4b7711c71c996a' },
      Fr_add: { bytes: 428, fingerprint: '78d2fe1aa5bdfbe6' },
      Fr_sub: { bytes: 428, fingerprint: '017b654d3954c637' },
      Fr_mul: { bytes: 431, fingerprint: '802a629220f6496e' },
      Fr_eq: { bytes: 26, fingerprint: 'c320a171fd9a18cb' },
      Fr_lt: { bytes: 43, fingerprint: 'f78506c877cfa3f8' },
      ...OF_BOTH,
    },
  },
];
