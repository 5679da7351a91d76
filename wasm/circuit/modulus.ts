// What depends on the prime, as marks that are replaced when the functions are put into a circuit's code
// (sdk/files/witness/exchange/exchange-arithmetic.ts): number k is 0x5eed_c0de_0000_0000 + k.

/** The prime in limbs of 29 bits, lowest first. */
export const LIMB_0: u64 = 0x5eedc0de00000000;
export const LIMB_1: u64 = 0x5eedc0de00000001;
export const LIMB_2: u64 = 0x5eedc0de00000002;
export const LIMB_3: u64 = 0x5eedc0de00000003;
export const LIMB_4: u64 = 0x5eedc0de00000004;
export const LIMB_5: u64 = 0x5eedc0de00000005;
export const LIMB_6: u64 = 0x5eedc0de00000006;
export const LIMB_7: u64 = 0x5eedc0de00000007;
export const LIMB_8: u64 = 0x5eedc0de00000008;

/** -1/p modulo 2^58, and so modulo 2^29. */
export const NEGATIVE_INVERSE: u64 = 0x5eedc0de00000009;

/** The prime in words of 64 bits, lowest first. */
export const WORD_0: u64 = 0x5eedc0de0000000a;
export const WORD_1: u64 = 0x5eedc0de0000000b;
export const WORD_2: u64 = 0x5eedc0de0000000c;
export const WORD_3: u64 = 0x5eedc0de0000000d;

/** 2^256 modulo the prime, which is 1 in Montgomery form, in words of 64 bits. */
export const ONE_0: u64 = 0x5eedc0de0000000e;
export const ONE_1: u64 = 0x5eedc0de0000000f;
export const ONE_2: u64 = 0x5eedc0de00000010;
export const ONE_3: u64 = 0x5eedc0de00000011;
