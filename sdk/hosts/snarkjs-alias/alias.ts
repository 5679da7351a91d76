import type { CircuitInputs, Groth16VerificationKey } from '../../api/index.js';
import { PippinError } from '../../base/errors.js';
import { verificationKeyOf } from '../../encodings/file-functions.js';
import { readSource } from '../../encodings/read-source.js';
import type { AliasPlatform } from './alias-platform.js';
import { AliasProver, downloadLimit } from './alias-prover.js';
import type { AliasOptions, InputFile, Logger, OutputFile, SnarkjsR1cs } from './api.js';
import { StandInCurves } from './curves.js';
import { sourceOf } from './files.js';
import { AliasGroth16 } from './groth16.js';
import { r1csInfo } from './r1cs.js';
import { calculate } from './wtns.js';

/** The exports of snarkjs 0.7.6, over a prover of Pippin. */
export function snarkjsAlias(platform: AliasPlatform) {
  const shared = new AliasProver((options) => platform.createProver(options));
  const standIns = new StandInCurves(() => shared.endSoon());
  const hasCurveGlobals = (): boolean => shared.configured.curveGlobals ?? true;
  /** The call, which leaves curves in the globals, as in snarkjs. */
  const withGlobals =
    <Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
    (...args: Args): Promise<Result> => {
      if (hasCurveGlobals()) standIns.putInGlobals();
      return call(...args);
    };
  const groth16 = new AliasGroth16(platform, shared);
  return {
    groth16: {
      prove: withGlobals(groth16.prove),
      fullProve: withGlobals(groth16.fullProve),
      verify: withGlobals(groth16.verify),
      exportSolidityCallData: groth16.exportSolidityCallData,
    },
    wtns: {
      calculate: (inputs: CircuitInputs, wasm: InputFile, wtns: OutputFile, _options?: unknown): Promise<void> =>
        calculate(platform, shared.configured, inputs, wasm, wtns),
      ...missingCalls('wtns', ['debug', 'exportJson', 'check']),
    },
    zKey: {
      exportVerificationKey: withGlobals(async (zkey: InputFile, logger?: Logger): Promise<Groth16VerificationKey> => {
        logger?.info?.('EXPORT VERIFICATION KEY STARTED');
        const source = sourceOf(platform, zkey, 'a .zkey');
        const key = await readSource(platform, source, 'a .zkey', downloadLimit(shared.configured), verificationKeyOf);
        logger?.info?.(`> Detected protocol: ${key.protocol}`);
        logger?.info?.('EXPORT VERIFICATION KEY FINISHED');
        return key;
      }),
      ...missingCalls('zKey', [
        'newZKey',
        'exportBellman',
        'importBellman',
        'verifyFromR1cs',
        'verifyFromInit',
        'contribute',
        'beacon',
        'exportJson',
        'bellmanContribute',
        'exportSolidityVerifier',
      ]),
    },
    r1cs: {
      info: withGlobals(
        async (r1cs: InputFile, logger?: Logger): Promise<SnarkjsR1cs> =>
          r1csInfo(platform, downloadLimit(shared.configured), r1cs, logger),
      ),
      ...missingCalls('r1cs', ['print', 'exportJson']),
    },
    curves: {
      getCurveFromName: withGlobals(standIns.getCurveFromName),
      getCurveFromR: withGlobals(standIns.getCurveFromR),
      getCurveFromQ: withGlobals(standIns.getCurveFromQ),
    },
    powersOfTau: missingCalls('powersOfTau', [
      'newAccumulator',
      'exportChallenge',
      'importResponse',
      'verify',
      'challengeContribute',
      'beacon',
      'contribute',
      'preparePhase2',
      'truncate',
      'convert',
      'exportJson',
    ]),
    plonk: missingCalls('plonk', ['setup', 'fullProve', 'prove', 'verify', 'exportSolidityCallData']),
    fflonk: missingCalls('fflonk', [
      'setup',
      'prove',
      'fullProve',
      'verify',
      'exportSolidityVerifier',
      'exportSolidityCallData',
    ]),
    /** Not of snarkjs: options for what is behind the alias. They hold from the next call on. */
    configure: (options: AliasOptions): void => {
      shared.configure(options);
      if (!hasCurveGlobals()) standIns.removeFromGlobals();
    },
  };
}

/** A call of snarkjs that is not here. It rejects, as all calls of snarkjs return promises. */
export type MissingCall = (...args: unknown[]) => Promise<never>;

/** Functions that reject with the name of the call and what to use instead. */
function missingCalls<const Name extends string>(group: string, names: readonly Name[]): Record<Name, MissingCall> {
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
