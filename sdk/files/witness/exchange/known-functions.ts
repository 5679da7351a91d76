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
      ...OF_BOTH,
    },
  },
];
