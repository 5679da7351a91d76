import { type BatchResult, PippinError, type Prover, type VerificationKeyJson } from 'pippin-prover';
import { ownMembers } from '../../../sdk/base/records.js';
import type { ProofVerifier } from './options.js';
import { RequestError } from './problem.js';
import { type AddRoutes, allowedCircuit } from './routes.js';
import { API_KEY, answers, verifyBody } from './schemas.js';

interface VerifyBody {
  readonly circuit: string;
  readonly proofs: readonly { readonly publicSignals: readonly string[]; readonly proof: object }[];
}

/** A list of public signals with a proof of any proof system. */
type Claims = readonly (readonly [publicSignals: readonly string[], proof: never])[];

/** `POST /v1/verify`, where the front has a verifier. */
export const addVerifyRoute: AddRoutes = (scope, context) => {
  const { verifier } = context.settings;
  if (verifier === undefined) return;
  scope.post<{ Body: VerifyBody }>('/v1/verify', {
    schema: {
      operationId: 'verifyProofs',
      security: API_KEY,
      summary: 'Verify proofs of a circuit',
      description:
        'All proofs together take about a tenth of the time that they take one by one. A proof passes that does not hold with a probability of at most 2^-127.',
      body: verifyBody,
      response: answers({ 200: { schema: 'Verdict', description: 'which proofs hold' } }),
    },
    handler: async (request) => {
      const { circuit: wanted, proofs } = request.body;
      const { id } = await allowedCircuit(context, context.callers.of(request), wanted);
      const key = ownMembers(verifier.verificationKeys)[id] as VerificationKeyJson | undefined;
      if (key === undefined) {
        throw new RequestError('NOT_FOUND', 'expected a circuit whose proofs this server verifies, got another', {
          hint: "the operator can add the circuit's verification key",
        });
      }
      const claims = proofs.map(({ publicSignals, proof }) => [publicSignals, proof] as const) as unknown as Claims;
      const { valid, failed, errors } = await verifyTogether(verifier.prover, key, claims);
      return { valid, failed, errors: errors.map(({ index, error: { code, message } }) => ({ index, code, message })) };
    },
  });
};

/**
 * Verifies no proof with each key, so that an invalid one is found when the front starts.
 *
 * @throws {PippinError} INVALID_ARGUMENT for anything but a prover and verification keys; and as `verifyBatch`.
 */
export async function checkVerifier({ prover, verificationKeys }: ProofVerifier): Promise<void> {
  for (const [id, key] of Object.entries(ownMembers(verificationKeys))) {
    const { protocol } = ownMembers(key);
    if (protocol !== 'groth16' && protocol !== 'plonk' && protocol !== 'fflonk') {
      throw new PippinError(
        'INVALID_ARGUMENT',
        `expected the verification key of ${id} in snarkjs' JSON form, got something else`,
      );
    }
    await verifyTogether(prover, key as VerificationKeyJson, []);
  }
}

/** The compiler does not see that a key and its proofs are of one proof system; the prover checks it. */
function verifyTogether(prover: Prover, key: VerificationKeyJson, claims: Claims): Promise<BatchResult> {
  const { protocol } = key as { readonly protocol: 'groth16' | 'plonk' | 'fflonk' };
  return prover[protocol].verifyBatch(key as never, claims);
}
