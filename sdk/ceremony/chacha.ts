import { newBytes } from '../base/bytes.js';

/** "expand 32-byte k", in words. */
const CONSTANTS = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574];
const COUNTER = 12;
const WORDS = 16;

/**
 * The ChaCha20 stream of a key with a nonce of zeros (Bernstein, "ChaCha, a variant of Salsa20", 2008), as words of 32
 * bits. snarkjs draws a ceremony's numbers and points from it; the words of its key are big-endian.
 */
export class ChaCha {
  private readonly state = newWords();
  private readonly block = newWords();
  private used = WORDS;

  /** @param seed the key's 32 bytes; bytes behind them are ignored. */
  constructor(seed: Uint8Array) {
    this.state.set(CONSTANTS);
    const view = new DataView(seed.buffer, seed.byteOffset, 32);
    for (let i = 0; i < 8; i++) this.state[4 + i] = view.getUint32(4 * i);
  }

  next(): number {
    if (this.used === WORDS) this.fillBlock();
    return this.block[this.used++]!;
  }

  /** Overwrites the key and what was drawn. */
  wipe(): void {
    this.state.fill(0);
    this.block.fill(0);
  }

  private fillBlock(): void {
    const { state, block } = this;
    block.set(state);
    for (let round = 0; round < 10; round++) {
      for (let i = 0; i < 4; i++) quarterRound(block, i, 4 + i, 8 + i, 12 + i);
      for (let i = 0; i < 4; i++) quarterRound(block, i, 4 + ((i + 1) & 3), 8 + ((i + 2) & 3), 12 + ((i + 3) & 3));
    }
    for (let i = 0; i < WORDS; i++) block[i]! += state[i]!;
    state[COUNTER]!++;
    if (state[COUNTER] === 0) state[COUNTER + 1]!++;
    this.used = 0;
  }
}

/** Words in a fresh buffer (see `newBytes`): they are secret. */
function newWords(): Uint32Array {
  return new Uint32Array(newBytes(4 * WORDS).buffer);
}

function quarterRound(words: Uint32Array, a: number, b: number, c: number, d: number): void {
  addAndTurn(words, a, b, d, 16);
  addAndTurn(words, c, d, b, 12);
  addAndTurn(words, a, b, d, 8);
  addAndTurn(words, c, d, b, 7);
}

/** a += b, and d = (d xor a) turned left by so many bits. */
function addAndTurn(words: Uint32Array, a: number, b: number, d: number, bits: number): void {
  words[a]! += words[b]!;
  const mixed = words[d]! ^ words[a]!;
  words[d] = (mixed << bits) | (mixed >>> (32 - bits));
}
