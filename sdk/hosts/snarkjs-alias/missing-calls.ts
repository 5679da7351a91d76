import { PippinError } from '../../base/errors.js';

/** A call of snarkjs that is not here. It rejects, as all calls of snarkjs return promises. */
export type MissingCall = (...args: unknown[]) => Promise<never>;

/** Functions that say by which name they were called, and what to use instead. */
export function missingCalls<const Name extends string>(
  group: string,
  names: readonly Name[],
): Record<Name, MissingCall> {
  const entries = names.map((name) => [name, missingCall(`${group}.${name}`)] as const);
  return Object.fromEntries(entries) as Record<Name, MissingCall>;
}

function missingCall(name: string): MissingCall {
  return async () => {
    throw new PippinError('UNSUPPORTED_CALL', `expected a call that pippin-prover/snarkjs has, got ${name}()`, {
      hint: 'it proves and verifies with Groth16; for set-up, PLONK, FFLONK and exports use snarkjs itself, by its command line or under another name',
    });
  };
}
