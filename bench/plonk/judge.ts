import { isDeepStrictEqual } from 'node:util';
import type { Prover } from '../../sdk/api/index.js';
import type { KeptKey } from './kept-key.js';
import type { Proved, SnarkjsPlonk } from './snarkjs.js';

/** Accepts proofs for a key that Pippin and snarkjs both accept; without snarkjs, those that Pippin accepts. */
export class Judge {
  private constructor(
    private readonly prover: Prover,
    private readonly verificationKey: Parameters<Prover['plonk']['verify']>[0],
    private readonly snarkjs: SnarkjsPlonk | undefined,
  ) {}

  /** Throws if Pippin and snarkjs export different verification keys. */
  static async of({ zkey, label }: KeptKey, prover: Prover, snarkjs: SnarkjsPlonk | undefined): Promise<Judge> {
    const key = await prover.plonk.loadKey(zkey);
    const { verificationKey } = key;
    await key.dispose();
    const theirs = snarkjs === undefined ? verificationKey : await snarkjs.exportVerificationKey(zkey);
    if (!isDeepStrictEqual(JSON.parse(JSON.stringify(theirs)), JSON.parse(JSON.stringify(verificationKey)))) {
      throw new Error(`${label}: expected the verification key that snarkjs exports, got another one`);
    }
    return new Judge(prover, verificationKey, snarkjs);
  }

  /** Throws unless the proof holds. @param maker whom the error names. */
  async expectValid(proved: Proved, maker: string): Promise<void> {
    const { prover, snarkjs, verificationKey } = this;
    if (!(await prover.plonk.verify(verificationKey, proved.publicSignals, proved.proof))) {
      throw new Error(`expected a proof by ${maker} that Pippin accepts, got one that it does not`);
    }
    if (snarkjs !== undefined && !(await snarkjs.verify(verificationKey, proved))) {
      throw new Error(`expected a proof by ${maker} that snarkjs accepts, got one that it does not`);
    }
  }
}
