import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readEntries } from '../../scripts/docs/public-api.mjs';
import { circuitFile, inputJson, MAKING_TIMEOUT, testCircuit } from '../support/circuits.js';
import { root } from '../support/root.js';
import { checkSamples } from './check-samples.js';
import { examplesOf, readSamples, type Sample, samplesOf } from './samples.js';

const examples = examplesOf(readEntries());
const samples = [...readSamples(), ...examples];
/** A docstring that several entries export has the same example in each: it is compiled and run once. */
const withCode = new Map(samples.map((sample) => [sample.code, sample]));
const checked = [...withCode.values()].filter(({ unchecked }) => unchecked === undefined);

it('fences are found in pages and in lists, with their flags', () => {
  const page =
    'Text\n\n1. a list\n\n   ```js run\n   one();\n     two();\n   ```\n\n```ts no-check="part of a file"\nthree\n```\n\n```sh\nls\n```\n';
  expect(samplesOf('page.md', page)).toEqual([
    { name: 'page.md:5', language: 'js', code: 'one();\n  two();\n', runs: true, unchecked: undefined },
    { name: 'page.md:10', language: 'ts', code: 'three\n', runs: false, unchecked: 'part of a file' },
  ]);
});

describe('the samples of the docs', () => {
  it.each([
    ['typescript', ['ts', 'tsx']],
    ['javascript', ['js']],
  ] as const)(
    'compile against the built types (%s), and names that the package does not have are found',
    (kind, languages) => {
      const code =
        "import { createProofer } from 'pippin-prover';\nawait prover.groth16.loadkey('a');\nconsole.log(createProofer);\n";
      const wrong = languages.map((language) => ({
        name: language,
        language,
        code,
        runs: false,
        unchecked: undefined,
      }));
      const complaints = checkSamples([...checked, ...wrong], kind).map((text) =>
        text.replace(/ of the sample .*/s, ''),
      );
      expect(complaints.toSorted()).toEqual(languages.flatMap((name) => [`${name}, line 1`, `${name}, line 2`]));
    },
  );

  it('that are not compiled are few, and say why', () => {
    const reasons = samples.flatMap(({ unchecked }) => unchecked ?? []);
    expect(reasons.filter((reason) => reason.length < 10)).toEqual([]);
    expect(reasons.length).toBeLessThanOrEqual(8);
  });
});

/** Makes the proof that examples of encodings read. */
const PROVE = `import { readFile, writeFile } from 'node:fs/promises';
import { createProver } from 'pippin-prover';
const prover = await createProver({ backend: 'wasm' });
const key = await prover.groth16.loadKey('note.zkey');
const inputs = JSON.parse(await readFile('input.json', 'utf8'));
const { proof, publicSignals } = await prover.groth16.fullProve(key, inputs, 'note.wasm');
await writeFile('proved.json', JSON.stringify({ proof, publicSignals }));
await prover.dispose();
`;

/**
 * Has a process and its workers find a machine of one core: most samples make a prover, whose workers are as many as there
 * are cores and take a fifth of a sample's time to start.
 */
const ONE_CORE = `import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
os.availableParallelism = () => 1;
syncBuiltinESMExports();
`;

/** Imports scripts one after another, and writes a line of JSON with what each has logged. */
const RUNNER = `import { appendFileSync } from 'node:fs';
import { format } from 'node:util';
for (const script of process.argv.slice(2)) {
  let logged = '';
  console.log = (...values) => {
    logged += format(...values) + '\\n';
  };
  const failure = await import('./' + script).then(() => undefined, (error) => String(error?.stack ?? error));
  appendFileSync('outcomes.jsonl', JSON.stringify({ script, logged, failure }) + '\\n');
}
`;

/** What became of a sample. */
interface Outcome {
  readonly script: string;
  readonly logged: string;
  readonly failure?: string;
}

/**
 * In Node, in an application's folder that has the packages, and a small circuit in the place of the example's. They
 * share a process: to start one, and to load the package in it, takes longer than most samples.
 */
describe('the samples that run in Node', () => {
  const codes = [...withCode.keys()];
  const running = samples
    .filter(({ runs }) => runs)
    .map((sample) => ({ ...sample, script: `sample-${codes.indexOf(sample.code)}.mjs` }));
  let folder: string;
  let outcomes: readonly Outcome[];
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'pippin-samples-'));
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(root, join(folder, 'node_modules', 'pippin-prover'), 'junction');
    symlinkSync(join(root, 'farm'), join(folder, 'node_modules', 'pippin-farm'), 'junction');
    cpSync(await circuitFile('pot5.ptau'), join(folder, 'powers.ptau'));
    for (const ending of ['wasm', 'zkey', 'vkey.json', 'plonk.zkey', 'fflonk.zkey']) {
      cpSync(await circuitFile(`chain.${ending}`), join(folder, `note.${ending}`));
    }
    const { inputs } = await testCircuit('chain');
    writeFileSync(join(folder, 'input.json'), inputJson(inputs));
    writeFileSync(join(folder, 'prove.mjs'), PROVE);
    writeFileSync(join(folder, 'one-core.mjs'), ONE_CORE);
    writeFileSync(join(folder, 'runner.mjs'), RUNNER);
    for (const { script, code, language } of running) writeFileSync(join(folder, script), scriptOf(code, language));
    const env = { ...process.env, XDG_CACHE_HOME: join(folder, 'cache') };
    const scripts = ['prove.mjs', ...new Set(running.map(({ script }) => script))];
    const args = ['--import', './one-core.mjs', 'runner.mjs', ...scripts];
    await promisify(execFile)(process.execPath, args, { cwd: folder, env, timeout: 600_000 });
    const lines = readFileSync(join(folder, 'outcomes.jsonl'), 'utf8').trim().split('\n');
    outcomes = lines.map((line) => JSON.parse(line) as Outcome);
  }, MAKING_TIMEOUT);
  afterAll(() => rmSync(folder, { recursive: true }));

  it('are some', () => expect(running.length).toBeGreaterThan(0));

  it('the examples of docstrings among them', () => expect(examples.some(({ runs }) => runs)).toBe(true));

  it.each(running)('$name', ({ script: name }) => {
    const { logged, failure } = outcomes.find(({ script }) => script === name)!;
    expect(failure).toBeUndefined();
    expect(logged).not.toBe('');
    expect(logged).not.toContain('wrong');
  });
});

function scriptOf(code: string, language: Sample['language']): string {
  const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext };
  return language === 'ts' ? ts.transpileModule(code, { compilerOptions }).outputText : code;
}
