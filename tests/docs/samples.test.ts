import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readEntries } from '../../scripts/docs/public-api.mjs';
import { circuitFile, MAKING_TIMEOUT, plonkCircuit } from '../support/circuits.js';
import { root } from '../support/root.js';
import { checkSamples } from './check-samples.js';
import { examplesOf, readSamples, type Sample, samplesOf } from './samples.js';

const examples = examplesOf(readEntries());
const samples = [...readSamples(), ...examples];
const checked = samples.filter(({ unchecked }) => unchecked === undefined);

it('fences are found in pages and in lists, with their flags', () => {
  const page =
    'Text\n\n1. a list\n\n   ```js run\n   one();\n     two();\n   ```\n\n```ts no-check="part of a file"\nthree\n```\n\n```sh\nls\n```\n';
  expect(samplesOf('page.md', page)).toEqual([
    { name: 'page.md:5', language: 'js', code: 'one();\n  two();\n', runs: true, unchecked: undefined },
    { name: 'page.md:10', language: 'ts', code: 'three\n', runs: false, unchecked: 'part of a file' },
  ]);
});

describe('the samples of the docs', () => {
  it.each(['ts', 'tsx', 'js'] as const)('compile against the built types (%s)', (language) => {
    expect(checkSamples(checked, language)).toEqual([]);
  });

  it('a name that the package does not have would be found', () => {
    const code =
      "import { createProofer } from 'pippin-prover';\nawait prover.groth16.loadkey('a');\nconsole.log(createProofer);\n";
    for (const language of ['ts', 'tsx', 'js'] as const) {
      const complaints = checkSamples([{ name: 'a', language, code, runs: false, unchecked: undefined }], language);
      expect(complaints.map((text) => text.slice(0, 11))).toEqual(['a, line 1 o', 'a, line 2 o']);
    }
  });

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

/** In Node, in an application's folder that has the packages and the files of the example's circuit. */
describe('the samples that run in Node', () => {
  let folder: string;
  /** PLONK and FFLONK keys of the example take minutes to make: a small circuit takes its place. */
  let plonkFolder: string;
  beforeAll(async () => {
    [folder, plonkFolder] = [application(), application()];
    cpSync(join(root, 'examples/groth16-commitment/key'), folder, { recursive: true });
    cpSync(await circuitFile('pot5.ptau'), join(folder, 'powers.ptau'));
    await run(PROVE, 'js');
    for (const ending of ['wasm', 'zkey', 'plonk.zkey', 'fflonk.zkey']) {
      cpSync(await circuitFile(`chain.${ending}`), join(plonkFolder, `note.${ending}`));
    }
    const { inputs } = await plonkCircuit('chain');
    writeFileSync(
      join(plonkFolder, 'input.json'),
      JSON.stringify(inputs, (_, v) => (typeof v === 'bigint' ? `${v}` : v)),
    );
  }, MAKING_TIMEOUT);
  afterAll(() => {
    for (const each of [folder, plonkFolder]) rmSync(each, { recursive: true });
  });

  function application(): string {
    const made = mkdtempSync(join(tmpdir(), 'pippin-samples-'));
    mkdirSync(join(made, 'node_modules'));
    symlinkSync(root, join(made, 'node_modules', 'pippin-prover'), 'junction');
    symlinkSync(join(root, 'farm'), join(made, 'node_modules', 'pippin-farm'), 'junction');
    return made;
  }

  const running = samples.filter(({ runs }) => runs);
  it('are some', () => expect(running.length).toBeGreaterThan(0));

  it('the examples of docstrings among them', () => expect(examples.some(({ runs }) => runs)).toBe(true));

  it.each(running)('$name', async ({ code, language }) => {
    const stdout = await run(code, language);
    expect(stdout).not.toBe('');
    expect(stdout).not.toContain('wrong');
  });

  async function run(code: string, language: Sample['language']): Promise<string> {
    const cwd = /note\.(plonk|fflonk)\.zkey/.test(code) ? plonkFolder : folder;
    const script = join(cwd, 'sample.mjs');
    const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext };
    writeFileSync(script, language === 'ts' ? ts.transpileModule(code, { compilerOptions }).outputText : code);
    const env = { ...process.env, XDG_CACHE_HOME: join(cwd, 'cache') };
    const { stdout } = await promisify(execFile)(process.execPath, [script], { cwd, env, timeout: 120_000 });
    return stdout;
  }
});
