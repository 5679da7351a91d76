import type { Prover } from '../api/index.js';
import { PippinError } from '../base/errors.js';
import { isObject } from '../base/is-object.js';
import { plainError } from '../base/plain-error.js';
import { protocolNamedIn } from '../files/snarkjs/parse-values.js';
import { systemOf } from '../hosts/session/proof-system-of.js';
import type { Context } from './context.js';
import { type Line, readLines } from './lines.js';
import { stepOf, withProver } from './prover.js';

/** The lines that are verified together: some 0.5 MB of text. */
const LINES_AT_ONCE = 1024;

/** Why a line is no proof. */
interface LineError {
  readonly line: number;
  readonly code: string;
  readonly message: string;
}

/** What a file of proofs holds. */
interface LinesVerdict {
  readonly valid: boolean;
  readonly proofs: number;
  /** The numbers of the lines whose proofs do not hold, ascending. */
  readonly failed: number[];
  readonly errors: LineError[];
}

/** What the lines of a file are verified with. */
interface LinesRequest {
  readonly path: string;
  readonly verificationKey: unknown;
  readonly allowUnfinished: boolean;
}

/**
 * Verifies a file with a proof in each line, on all workers: `{"publicSignals": [...], "proof": {...}}`, as `pippin
 * prove --json` prints, or `[publicSignals, proof]`. The file is read as it is verified.
 */
export async function verifyLines(request: LinesRequest, context: Context): Promise<LinesVerdict> {
  return withProver({ backend: 'wasm', cache: false }, context, async (prover) => {
    const failed: number[] = [];
    const errors: LineError[] = [];
    let proofs = 0;
    const verify = async (lines: readonly Line[]): Promise<void> => {
      proofs += lines.length;
      const unreadable = new Map<number, PippinError>();
      const entries = lines.map(({ text }, i) => {
        try {
          return entryOf(text);
        } catch (error) {
          unreadable.set(i, error as PippinError);
          return null;
        }
      });
      const result = await verifyEntries(prover, request, entries, context);
      failed.push(...result.failed.map((index) => lines[index]!.number));
      for (const { index, error } of result.errors) {
        const { code, message } = plainError(unreadable.get(index) ?? error);
        errors.push({ line: lines[index]!.number, code, message });
      }
    };
    let lines: Line[] = [];
    for await (const line of readLines(request.path, context)) {
      lines.push(line);
      if (lines.length < LINES_AT_ONCE) continue;
      await verify(lines);
      lines = [];
    }
    // A wrong key is refused whether there are proofs or not.
    if (lines.length > 0 || proofs === 0) await verify(lines);
    return { valid: failed.length === 0, proofs, failed, errors };
  });
}

function verifyEntries(
  prover: Prover,
  { verificationKey, allowUnfinished }: LinesRequest,
  entries: readonly unknown[],
  context: Context,
) {
  const protocol = protocolNamedIn(verificationKey, 'a verification key');
  return systemOf(prover, protocol).verifyBatch(verificationKey as never, entries as never, {
    ...stepOf(context, 'Verifying'),
    ...(protocol === 'groth16' ? { allowUnfinished } : {}),
  });
}

/** A line as `verifyBatch` takes it. `MALFORMED_FILE` for other text than JSON, none of which it shows. */
function entryOf(text: string): unknown {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new PippinError('MALFORMED_FILE', 'expected JSON, got other text');
  }
  if (!isObject(json) || Array.isArray(json)) return json;
  const { publicSignals, proof } = json as { readonly publicSignals?: unknown; readonly proof?: unknown };
  return [publicSignals, proof];
}

/** What a person reads of a verdict. */
export function linesText({ valid, proofs, failed, errors }: LinesVerdict): string {
  if (valid) return proofs === 1 ? 'The proof holds.' : `All ${proofs} proofs hold.`;
  const reasons = new Map(errors.map(({ line, code, message }) => [line, `: ${code}: ${message}`]));
  const lines = failed.map((line) => `line ${line}${reasons.get(line) ?? ''}`);
  return [`${failed.length} of ${proofs} proofs do not hold:`, ...lines].join('\n');
}
