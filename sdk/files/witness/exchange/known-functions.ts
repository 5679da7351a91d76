/** circom's names of the functions that are exchanged. */
export const EXCHANGED_NAMES = [
  'Fr_F1m_mul',
  'Fr_F1m_square',
  'Fr_F1m_toMontgomery',
  'Fr_F1m_fromMontgomery',
  'Fr_int_inverseMod',
] as const;

export type ExchangedName = (typeof EXCHANGED_NAMES)[number];

/** A function of circom's: the bytes of its code, and its fingerprint. */
export interface KnownFunction {
  readonly bytes: number;
  readonly fingerprint: string;
}

const INVERSION: KnownFunction = { bytes: 289, fingerprint: 'a86b23e80c2ad5cb' };

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
      Fr_int_inverseMod: INVERSION,
    },
  },
  {
    modulus: 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n,
    functions: {
      Fr_F1m_mul: { bytes: 3962, fingerprint: '4bc5987bcdc5553a' },
      Fr_F1m_square: { bytes: 4227, fingerprint: 'd898762fc346e74d' },
      Fr_F1m_toMontgomery: { bytes: 11, fingerprint: '3e89edccef94421d' },
      Fr_F1m_fromMontgomery: { bytes: 21, fingerprint: '159297652fb4e9fd' },
      Fr_int_inverseMod: INVERSION,
    },
  },
];
