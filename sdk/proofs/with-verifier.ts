import { type PairingArithmetic, pairings } from './pairings.js';
import type { ProofCall, ProofContext, ProofSystem, ProofVerifier } from './proof-system.js';

/**
 * Runs `work` with a verification key of a proof system, once it has been checked, and puts it on the call's timeline.
 * Errors of the key as its system has them.
 */
export async function withVerifier<T>(
  context: Pick<ProofContext, 'pool' | 'openCurve'>,
  call: Pick<ProofCall, 'signal' | 'span'>,
  system: ProofSystem,
  { verificationKey, expected }: { readonly verificationKey: unknown; readonly expected: object | undefined },
  work: (verifier: ProofVerifier, arithmetic: PairingArithmetic) => Promise<T>,
): Promise<T> {
  const curve = system.curveOfVerificationKey(verificationKey);
  await context.openCurve(curve, []);
  const arithmetic = pairings(context.pool, curve, call.signal);
  return call.span('verify', 'wasm', async () =>
    work(await system.createVerifier(arithmetic, verificationKey, expected), arithmetic),
  );
}
