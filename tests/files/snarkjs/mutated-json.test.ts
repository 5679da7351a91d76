import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { PippinError } from '../../../sdk/base/errors.js';
import { plainCopy } from '../../../sdk/files/plain-copy.js';
import { parseProof, parseVerificationKey } from '../../../sdk/files/snarkjs/groth16-json.js';
import { parsePublicSignals } from '../../../sdk/files/snarkjs/json-values.js';
import { MAKING_TIMEOUT, snarkjsProof, testCircuit } from '../../support/circuits.js';
import { EVERY_COMBINATION } from '../../support/every-combination.js';
import { endSnarkjs } from '../../support/example.js';
import { mutated, mutations } from '../../support/mutations.js';

const SEED = 1;
const CASES = EVERY_COMBINATION ? 4000 : 300;

let documents: Record<string, unknown>;
beforeAll(async () => {
  const circuit = await testCircuit('chain');
  documents = { verificationKey: circuit.verificationKey, ...(await snarkjsProof(circuit)) };
  await endSnarkjs();
}, MAKING_TIMEOUT);

/** Runs a parser; fails the test if it throws anything but a `PippinError` that says what was expected. */
function expectTyped(parse: () => unknown): void {
  try {
    parse();
  } catch (error) {
    expect(error).toBeInstanceOf(PippinError);
    expect((error as PippinError).code).not.toBe('INTERNAL');
    expect((error as PippinError).message).toMatch(/^expected .*, got /s);
  }
}

describe.each([
  ['verificationKey', (json: unknown) => parseVerificationKey(json)],
  ['proof', (json: unknown) => parseProof(json, 'bn254')],
  ['publicSignals', (json: unknown) => parsePublicSignals(json, 'bn254')],
] as const)('a mutated %s', (name, parse) => {
  it('is read or refused by a typed error once it was copied', () => {
    fc.assert(
      fc.property(mutations, (changes) => {
        const json = mutated(documents[name], changes);
        expectTyped(() => parse(plainCopy(json, { code: 'MALFORMED_FILE', whole: name, single: 'JSON' })));
      }),
      { seed: SEED, numRuns: CASES },
    );
  });
});
