import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { npm } from '../../scripts/release/npm.mjs';
import { root } from '../support/root.js';

/** A folder where both packages are installed as npm packs them, with the farm's dependencies of this repository. */
let folder: string;
const { dependencies } = JSON.parse(readFileSync(join(root, 'farm', 'package.json'), 'utf8'));

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pippin-installed-'));
  const modules = join(folder, 'node_modules');
  for (const [name, place] of [
    ['pippin-prover', root],
    ['pippin-farm', join(root, 'farm')],
  ] as const) {
    npm(['pack', '--ignore-scripts', '--pack-destination', folder], place);
    mkdirSync(join(modules, name), { recursive: true });
    const tarball = readdirSync(folder).find((file) => file.startsWith(name))!;
    execFileSync('tar', ['-xzf', join(folder, tarball), '--strip-components=1', '-C', join(modules, name)]);
  }
  for (const name of [...Object.keys(dependencies), '@types/node', 'undici-types']) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), join(modules, name));
  }
  cpSync(join(root, 'examples', 'prover-farm', 'circuits.json'), join(folder, 'farm', 'circuits.json'));
  cpSync(join(root, 'examples', 'groth16-commitment', 'key'), join(folder, 'groth16-commitment', 'key'), {
    recursive: true,
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PROVE = `
import { readFile } from 'node:fs/promises';
import { createProver, PippinError } from 'pippin-prover';
import { Farm, makeKeyPair, ProofQueue, PippinError as FarmError, readCircuits, startRedis } from 'pippin-farm';

const refused = await ProofQueue.open({}).catch((error) => error);
const redis = await startRedis();
const { connection } = redis;
const circuits = await readCircuits('farm/circuits.json');
const keys = await makeKeyPair();
const prover = { backend: 'wasm', threads: 1, cache: false };
const farm = await Farm.start({ connection, circuits, keyPairs: [keys], prover });
const queue = await ProofQueue.open({ connection, circuits: 'from redis', publicKey: keys.publicKey });
const inputs = JSON.parse(await readFile('groth16-commitment/key/input.json', 'utf8'));
const { id } = await queue.submit({ circuit: circuits[0].info.id, inputs });
const { proof, publicSignals } = await queue.result(id);
const bad = await queue.submit({ circuit: circuits[0].info.id, inputs: {} });
const failed = await queue.result(bad.id).catch((error) => error);
await queue.close();
await farm.drain();
await redis.stop();
const verifier = await createProver(prover);
const isRight = await verifier.groth16.verify(circuits[0].verificationKey, publicSignals, proof);
await verifier.dispose();
console.log(JSON.stringify({
  isRight,
  sameClass: FarmError === PippinError,
  refused: [refused instanceof PippinError, refused.code],
  failed: [failed instanceof PippinError, failed.code],
}));
`;

it('starts worker processes that prove, and throws errors of the SDK that is installed beside it', async () => {
  writeFileSync(join(folder, 'prove.mjs'), PROVE);
  const { stdout } = await promisify(execFile)(process.execPath, ['prove.mjs'], { cwd: folder });
  expect(JSON.parse(stdout)).toEqual({
    isRight: true,
    sameClass: true,
    refused: [true, 'INVALID_ARGUMENT'],
    failed: [true, 'INVALID_INPUT'],
  });
});

it('has types for all that it exports', () => {
  const file = join(folder, 'types.ts');
  writeFileSync(
    file,
    `import { type PippinError, createProver } from 'pippin-prover';
import { createFront, Farm, type FarmOptions, ProofQueue, type ProofResult, PippinError as FarmError } from 'pippin-farm';
export const options: FarmOptions = { connection: 'redis://a', circuits: [], keyPairs: [], prover: { backend: 'wasm' } };
export const farm: Promise<Farm> = Farm.start(options);
export const result = async (queue: ProofQueue): Promise<ProofResult> => queue.result('a.b');
export const error: PippinError = new FarmError('INTERNAL', 'a');
export const app = async (queue: ProofQueue) => (await createFront({ queue, apiKeys: [] })).listen({ port: 0 });
export { createProver };
`,
  );
  const { ModuleKind, ScriptTarget } = ts;
  const program = ts.createProgram([file], {
    ...{ module: ModuleKind.Node20, target: ScriptTarget.ES2022, strict: true, noEmit: true },
    // The types of Fastify and others are not ours to check.
    ...{ skipLibCheck: true, lib: ['lib.es2023.d.ts'], types: ['node'], preserveSymlinks: false },
  });
  const host = { getCanonicalFileName: String, getCurrentDirectory: () => folder, getNewLine: () => '\n' };
  const diagnostics = ts.getPreEmitDiagnostics(program);
  expect(ts.formatDiagnostics(diagnostics, host)).toBe('');
});

it('is installed with packages of permissive licences alone', () => {
  const { packages }: { packages: Record<string, { license?: string; dev?: boolean; link?: boolean }> } = JSON.parse(
    readFileSync(join(root, 'package-lock.json'), 'utf8'),
  );
  const installed = Object.entries(packages).filter(
    ([place, { dev, link }]) => place.includes('node_modules/') && dev !== true && link !== true,
  );
  expect(installed.length).toBeGreaterThan(Object.keys(dependencies).length);
  const permissive = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'ISC', 'MIT'];
  expect(installed.filter(([, { license = 'none' }]) => !permissive.includes(license))).toEqual([]);
});
