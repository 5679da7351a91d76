import { isDeepStrictEqual } from 'node:util';
import type { Prover } from '../../sdk/api/index.js';
import type { KeptKey } from './kept-key.js';
import type { Proved, SnarkjsUniversal } from './snarkjs.js';

/** Accepts proofs for a key that Pippin and snarkjs both accept; without snarkjs, those that Pippin accepts. */
export class Judge {
  private constructor(
    private readonly verifies: (proved: Proved) => Promise<boolean>,
    private readonly verificationKey: object,
    private readonly snarkjs: SnarkjsUniversal | undefined,
  ) {}

  /** Throws if Pippin and snarkjs export different verification keys. */
  static async of(
    { protocol, zkey, label }: KeptKey,
    prover: Prover,
    snarkjs: SnarkjsUniversal | undefined,
  ): Promise<Judge> {
    const key = await prover[protocol].loadKey(zkey);
    const { verificationKey } = key;
    await key.dispose();
    const theirs = snarkjs === undefined ? verificationKey : await snarkjs.exportVerificationKey(zkey);
    if (!isDeepStrictEqual(JSON.parse(JSON.stringify(theirs)), JSON.parse(JSON.stringify(verificationKey)))) {
      throw new Error(`${label}: expected the verification key that snarkjs exports, got another one`);
    }
    const verifies = ({ proof, publicSignals }: Proved): Promise<boolean> =>
      prover[protocol].verify(verificationKey as never, publicSignals, proof as never);
    return new Judge(verifies, verificationKey, snarkjs);
  }

  /** Throws unless the proof holds. @param maker whom the error names. */
  async expectValid(proved: Proved, maker: string): Promise<void> {
    const { snarkjs, verificationKey } = this;
    if (!(await this.verifies(proved))) {
      throw new Error(`expected a proof by ${maker} that Pippin accepts, got one that it does not`);
    }
    if (snarkjs !== undefined && !(await snarkjs.verify(verificationKey, proved))) {
      throw new Error(`expected a proof by ${maker} that snarkjs accepts, got one that it does not`);
    }
  }
}
