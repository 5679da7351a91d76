import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import type { Prover } from '../../api/index.js';
import { onAbort, throwIfAborted } from '../../base/abort.js';
import { messageOf, PippinError } from '../../base/errors.js';
import { plainError } from '../../base/plain-error.js';
import { isObject } from '../../base/records.js';
import { pointsKernel } from '../../executors/workers/kernel/kernel.js';
import { instantiatePoints } from '../../executors/workers/kernel/kernel-instance.js';
import { protocolNamedIn } from '../../files/snarkjs/named-protocol.js';
import { nodeEnginePlatform } from '../../hosts/node/node-engine.js';
import { systemOf } from '../../hosts/session/proof-system-of.js';
import { hasSecondPhase } from '../../proofs/parts.js';
import { proofSystem } from '../../proofs/registry.js';
import { defineCommand } from '../command.js';
import type { Context } from '../context.js';
import { type ReadingContext, readJson, STANDARD } from '../files.js';
import { fileOrStdin, required, usageError } from '../option.js';
import { isPipe, openPipe } from '../pipe.js';
import { stepOf, withProver } from '../prover.js';
import { allowUnfinished, PROOF_OPTIONS, readProof } from '../proving-options.js';

/** Verifies one proof with one kernel on this thread, without workers or a GPU; a file of proofs on all workers. */
export const verifyCommand = defineCommand({
  name: 'verify',
  topic: 'proofs',
  summary: 'check that a proof holds',
  usage: '--vkey FILE (--proof FILE --public FILE | --batch FILE) [--allow-unfinished] [--json]',
  options: {
    vkey: required(fileOrStdin('.json', 'the verification key (JSON)')),
    proof: { ...PROOF_OPTIONS.proof, required: false },
    public: { ...PROOF_OPTIONS.public, required: false },
    batch: fileOrStdin('.jsonl', 'a file with a proof in each line'),
    'allow-unfinished': allowUnfinished,
  },
  notes: [
    'The proof system is the one that the verification key names.',
    'A line of --batch is {"publicSignals": [...], "proof": {...}} or [publicSignals, proof]. The lines are verified together, in a fraction of the time, and the ones that do not hold are named.',
  ],
  examples: [
    'pippin verify --vkey vkey.json --proof proof.json --public public.json',
    'pippin verify --vkey vkey.json --batch proofs.jsonl',
  ],
  exits: { 0: 'the proof holds, or all do', 1: 'a proof does not hold, or the work failed' },
  async work({ vkey, 'allow-unfinished': unfinished, batch, ...files }, context) {
    const { proof: proofPath, public: publicPath } = files;
    if (batch !== undefined) {
      if (proofPath !== undefined || publicPath !== undefined) {
        throw usageError('expected either --batch, or --proof and --public, got both');
      }
      const verificationKey = await readJson(vkey, context, 'the verification key');
      const verdict = await verifyLines({ path: batch, verificationKey, allowUnfinished: unfinished }, context);
      await context.result(verdict, linesText(verdict));
      return verdict.valid ? 0 : 1;
    }
    if (proofPath === undefined || publicPath === undefined) {
      const missing = proofPath === undefined ? 'proof' : 'public';
      throw usageError(
        `expected --${missing} for verify, got none`,
        `--${missing} FILE: ${PROOF_OPTIONS[missing].help}; or --batch FILE, with many proofs`,
      );
    }
    const [verificationKey, { proof, publicSignals }] = await Promise.all([
      readJson(vkey, context, 'the verification key'),
      readProof({ proof: proofPath, public: publicPath }, context),
    ]);
    const system = await proofSystem(protocolNamedIn(verificationKey, 'a verification key'));
    const curve = system.curveOfVerificationKey(verificationKey);
    const module = await nodeEnginePlatform.compileWasm(curve, 'points', {});
    const kernel = pointsKernel(await instantiatePoints(curve, module));
    // A wrong key is refused here, before the proof is looked at.
    const verifier = await system.createVerifier(kernel, verificationKey, { allowUnfinished: unfinished });
    const valid = await verifier.verify(kernel, publicSignals, proof).catch(falseForPoint);
    await context.result({ valid }, valid ? 'The proof holds.' : 'The proof does not hold.');
    return valid ? 0 : 1;
  },
});

/** No proof holds with a point that cannot be one; the SDK has an error for coordinates that are not below p. */
function falseForPoint(error: unknown): false {
  if (error instanceof PippinError && error.code === 'INVALID_POINT') return false;
  throw error;
}

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
async function verifyLines(request: LinesRequest, context: Context): Promise<LinesVerdict> {
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
    ...(hasSecondPhase(protocol) ? { allowUnfinished } : {}),
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

/** A line that is not blank, and its number, from 1. */
export interface Line {
  readonly number: number;
  readonly text: string;
}

/** The most characters of a line: a thousand times what a proof has. */
const MOST_CHARACTERS = 2 ** 22;

/**
 * The lines of a file, of a pipe that has a name, or of standard input, as they are read. `IO_FAILED` if it cannot be
 * read, `MALFORMED_FILE` for a line that is too long to be kept.
 */
export async function* readLines(path: string, context: ReadingContext): AsyncGenerator<Line> {
  const { signal } = context;
  const stream = await openStream(path);
  const stop = onAbort(signal, () => stream.destroy());
  let number = 0;
  let rest = '';
  try {
    throwIfAborted(signal);
    stream.setEncoding('utf8');
    for await (const part of stream) {
      const lines = (rest + part).split('\n');
      rest = lines.pop()!;
      for (const text of lines) {
        number++;
        if (text.trim() !== '') yield { number, text };
      }
      if (rest.length > MOST_CHARACTERS) {
        const message = `expected lines of at most ${MOST_CHARACTERS} characters in ${path}, got a longer line ${number + 1}`;
        throw new PippinError('MALFORMED_FILE', message, { hint: 'each proof has a line of its own' });
      }
    }
  } catch (error) {
    throwIfAborted(signal);
    if (error instanceof PippinError) throw error;
    throw new PippinError('IO_FAILED', `expected to read ${path}, got: ${messageOf(error)}`, { cause: error });
  } finally {
    stop();
    stream.destroy();
  }
  throwIfAborted(signal);
  if (rest.trim() !== '') yield { number: number + 1, text: rest };
}

async function openStream(path: string): Promise<Readable> {
  if (path === STANDARD) return process.stdin;
  return (await isPipe(path)) ? openPipe(path) : createReadStream(path);
}
