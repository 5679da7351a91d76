import type { CurveParameters } from './types.js';

/**
 * MNT4-753, the curve of embedding degree 4 in a cycle with MNT6-753 (Ben-Sasson, Chiesa, Tromer, Virza, "Scalable zero
 * knowledge via cycles of elliptic curves", 2014/595), with the parameters of Coda, now Mina. The generator is
 * arkworks'. The curve has r points, so every point lies in the group of prime order. Its scalars have as many bits as
 * its coordinates, and it serves for MSMs over G1 alone. Every number is checked in tests/curves.
 */
export const mnt4753: CurveParameters<'mnt4-753'> = {
  id: 'mnt4-753',
  name: 'MNT4-753',
  wgslLimbsPerTurn: 1,
  fq: {
    modulus:
      0x1c4c62d92c41110229022eee2cdadb7f997505b8fafed5eb7e8f96c97d87307fdb925e8a0ed8d99d124d9a15af79db117e776f218059db80f0da5cb537e38685acce9767254a4638810719ac425f0e39d54522cdd119f5e9063de245e8001n,
    bits: 753,
  },
  fr: {
    modulus:
      0x1c4c62d92c41110229022eee2cdadb7f997505b8fafed5eb7e8f96c97d87307fdb925e8a0ed8d99d124d9a15af79db26c5c28c859a99b3eebca9429212636b9dff97634993aa4d6c381bc3f0057974ea099170fa13a4fd90776e240000001n,
    bits: 753,
    twoAdicity: 30,
    nonResidue: 11n,
  },
  coordinateBytes: 96,
  scalarBytes: 96,
  boundary: 'weierstrass',
  g1: {
    a: 2n,
    b: 0x1373684a8c9dcae7a016ac5d7748d3313cd8e39051c596560835df0c9e50a5b59b882a92c78dc537e51a16703ec9855c77fc3d8bb21c8d68bb8cfb9db4b8c8fba773111c36c8b1b4e8f1ece940ef9eaad265458e06372009c9a0491678ef4n,
    generator: [
      0x542f1dad450bb76a02d86daaffbaeb69995eb9efa5546444d40c82d6a271f1a438626d1ef781d1de4ffb1f806b314c5ad3463d98a4ea009d57aad9716f708885feff338dd73a5a7eeecfbce7cf95d3c2ab23be1c24740af0fdeb3b7f1981n,
      0x4ab6473526e257b175ae94deb9e10aba4ba72f7fddcdea19cb10b2bf61f37ae2c456ee5599dd7c3dfa4100284833115aec5dea57ef53ee29157bdf1b741aebd423036db8fb990a342449caeb92fa6b031ea99cff05e05ec3be2e4a050358n,
    ],
    cofactor: 1n,
  },
};
