import { access, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { asPippinError, PippinError } from '../../base/errors.js';
import { ownMembers } from '../../base/records.js';
import { defineCommand } from '../command.js';
import { flag } from '../option.js';

/** The package in the place of snarkjs, in the project. */
const FOLDER = 'pippin-snarkjs';

/**
 * Its files, and what tools such as circomkit read from the folder of snarkjs before they call
 * `exportSolidityVerifier`. They take `require` from Node itself, since Jest's loads no ES modules.
 */
const FILES = {
  'index.js': "export * from 'pippin-prover/snarkjs';\nexport { default } from 'pippin-prover/snarkjs';\n",
  'index.cjs':
    "const { createRequire } = process.getBuiltinModule('node:module');\nmodule.exports = createRequire(__filename)('pippin-prover/snarkjs');\n",
  'templates/verifier_groth16.sol.ejs':
    '// zKey.exportSolidityVerifier of pippin-prover/snarkjs writes a contract of Pippin and reads no template.\n',
};

type Json = Readonly<Record<string, unknown>>;

/**
 * A package manager: how it names the packages that replace others, and what replaces snarkjs there and among the
 * dependencies.
 */
interface Manager {
  readonly name: string;
  readonly lock: string;
  readonly replacements: readonly string[];
  readonly dependency: string;
  readonly replacement: string;
}

const FILE = `file:./${FOLDER}`;
const LINK = `link:./${FOLDER}`;
const NPM: Manager = {
  name: 'npm',
  lock: 'package-lock.json',
  replacements: ['overrides'],
  dependency: FILE,
  replacement: '$snarkjs',
};
const MANAGERS: readonly Manager[] = [
  // A copy of the folder would not find pippin-prover in pnpm's node_modules; a link does.
  { name: 'pnpm', lock: 'pnpm-lock.yaml', replacements: ['pnpm', 'overrides'], dependency: LINK, replacement: LINK },
  { name: 'yarn', lock: 'yarn.lock', replacements: ['resolutions'], dependency: FILE, replacement: FILE },
  NPM,
];

export const aliasCommand = defineCommand({
  name: 'alias',
  topic: 'machine',
  summary: 'put Pippin in the place of snarkjs in this project, or take it out again',
  usage: '[--undo] [--json]',
  options: { undo: flag('put back what was there before') },
  notes: [
    `It writes a package named snarkjs, of four files, into the folder ${FOLDER} of the project, and names it in package.json: as a dependency, and in what replaces the copies of libraries (overrides of npm, pnpm.overrides, resolutions of Yarn).`,
    'It runs no package manager: install afterwards. A bundler takes one line instead (docs/moving-from-snarkjs.md).',
  ],
  examples: ['npx pippin-prover alias && npm install', 'npx pippin-prover alias --undo && npm install'],
  exits: { 0: 'done', 1: 'the work failed' },
  async work({ undo }, context) {
    try {
      const changes = await (undo ? removeAlias(process.cwd()) : addAlias(process.cwd()));
      const text = changes.length === 0 ? 'Nothing to change.' : changes.join('\n');
      await context.result({ changes }, text);
      return 0;
    } catch (error) {
      throw asPippinError(error, 'IO_FAILED', 'expected to read and write the project, got');
    }
  },
});

/** What was at a path of package.json before; null for nothing. */
interface Before {
  readonly path: readonly string[];
  readonly value: unknown;
}

/** Puts the alias into the project in a folder, and says what it has changed: nothing, if the alias is there. */
export async function addAlias(folder: string): Promise<string[]> {
  const project = await readProject(folder);
  if (await madeHere(folder)) return [];
  if (await exists(join(folder, FOLDER))) {
    throw new PippinError('INVALID_ARGUMENT', `expected no folder ${FOLDER} that something else has made, got one`);
  }
  const { dependencies, devDependencies } = ownMembers(project.json);
  const isDirect = [dependencies, devDependencies].some((names) => 'pippin-prover' in ownMembers(names));
  if (!isDirect) {
    throw new PippinError(
      'INVALID_ARGUMENT',
      'expected pippin-prover among the dependencies of package.json, got none',
      {
        hint: 'install it first, for example by `npm install pippin-prover`',
      },
    );
  }
  const manager = await managerOf(folder, project.json);
  const kind = 'snarkjs' in ownMembers(devDependencies) ? 'devDependencies' : 'dependencies';
  const entries: [path: readonly string[], value: string][] = [
    [[kind, 'snarkjs'], manager.dependency],
    [[...manager.replacements, 'snarkjs'], manager.replacement],
  ];
  const before: Before[] = entries.map(([path]) => ({ path, value: valueAt(project.json, path) ?? null }));
  const changed = entries.reduce((json, [path, value]) => withValue(json, path, value), project.json);
  const description = {
    name: 'snarkjs',
    version: '0.7.6',
    private: true,
    type: 'module',
    exports: { import: './index.js', require: './index.cjs' },
    pippinAlias: before,
  };
  await mkdir(join(folder, FOLDER, 'templates'), { recursive: true });
  for (const [name, text] of Object.entries({ 'package.json': jsonText(description, '  '), ...FILES })) {
    await writeFile(join(folder, FOLDER, name), text);
  }
  // Last: package.json names the folder only when it is whole.
  await project.write(changed);
  return [
    `${FOLDER}/: a package in the place of snarkjs`,
    ...entries.map(([path, value]) => `package.json: ${path.join('.')} = ${JSON.stringify(value)}`),
    `now run: ${manager.name} install`,
  ];
}

/** Takes the alias out again, and says what it has changed: nothing, if there is none. */
export async function removeAlias(folder: string): Promise<string[]> {
  const project = await readProject(folder);
  const before = await madeHere(folder);
  if (before === undefined) return [];
  const manager = await managerOf(folder, project.json);
  await project.write(before.reduce((json, { path, value }) => withValue(json, path, value), project.json));
  await rm(join(folder, FOLDER), { recursive: true });
  return [
    ...before.map(
      ({ path, value }) =>
        `package.json: ${path.join('.')} ${value === null ? 'removed' : `= ${JSON.stringify(value)}`}`,
    ),
    `${FOLDER}/: removed`,
    `now run: ${manager.name} install`,
  ];
}

/** What was in package.json before `addAlias`; undefined unless it has made the folder. */
async function madeHere(folder: string): Promise<readonly Before[] | undefined> {
  const file = join(folder, FOLDER, 'package.json');
  if (!(await exists(file))) return undefined;
  const { pippinAlias } = ownMembers(parseJson(await readFile(file, 'utf8'), `${FOLDER}/package.json`));
  return Array.isArray(pippinAlias) ? (pippinAlias as Before[]) : undefined;
}

async function readProject(folder: string): Promise<{ json: Json; write(json: Json): Promise<void> }> {
  const file = join(folder, 'package.json');
  if (!(await exists(file))) {
    throw new PippinError('INVALID_ARGUMENT', 'expected a project with a package.json in this folder, got none', {
      hint: 'run it in the folder of the project that uses snarkjs',
    });
  }
  const text = await readFile(file, 'utf8');
  const indent = /^[ \t]+/m.exec(text)?.[0] ?? '  ';
  return { json: parseJson(text, 'package.json'), write: (json) => writeFile(file, jsonText(json, indent)) };
}

async function managerOf(folder: string, { packageManager }: Json): Promise<Manager> {
  const named = MANAGERS.find(({ name }) => String(packageManager ?? '').startsWith(`${name}@`));
  if (named !== undefined) return named;
  for (const manager of MANAGERS) if (await exists(join(folder, manager.lock))) return manager;
  return NPM;
}

function parseJson(text: string, name: string): Json {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw new PippinError('MALFORMED_FILE', `expected JSON in ${name}, got what is none`, { cause });
  }
  if (typeof json === 'object' && json !== null && !Array.isArray(json)) return json as Json;
  throw new PippinError('MALFORMED_FILE', `expected an object in ${name}, got another value`);
}

function jsonText(json: Json, indent: string): string {
  return `${JSON.stringify(json, undefined, indent)}\n`;
}

function valueAt(json: Json, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => ownMembers(value)[name], json);
}

/**
 * The same JSON with another value at a path; null removes it, and the object that held it if nothing is left there.
 */
function withValue(json: Json, [name = '', ...rest]: readonly string[], value: unknown): Json {
  const { [name]: old, ...others } = json;
  const inner = rest.length === 0 ? value : withValue({ ...ownMembers(old) } as Json, rest, value);
  const isGone = inner === null || (rest.length > 0 && Object.keys(inner as Json).length === 0);
  return isGone ? others : { ...json, [name]: inner };
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
