import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { deployVerifier } from './contract.js';

const R = 21888242871839275222246405745257275088548364400416034343698204186575808495617n;
const P = 21888242871839275222246405745257275088696311157297823662689037894645226208583n;
const circomkit = (...args) => execFileSync(process.execPath, ['node_modules/circomkit/dist/cli.js', ...args]);
const json = (path) => JSON.parse(readFileSync(path, 'utf8'));
const expect = (holds, what) => {
  if (!holds) throw new Error(`expected ${what}`);
};

// A circuit that was compiled elsewhere, with its key, where circomkit has its own.
mkdirSync('inputs/note', { recursive: true });
cpSync('key/input.json', 'inputs/note/first.json');
cpSync('key/note.wasm', 'build/note/note_js/note.wasm');
cpSync('key/note.zkey', 'build/note/groth16_pkey.zkey');

circomkit('vkey', 'note');
circomkit('witness', 'note', 'first');
circomkit('prove', 'note', 'first');
const said = String(circomkit('verify', 'note', 'first'));
const proof = json('build/note/first/groth16_proof.json');
const publicSignals = json('build/note/first/public.json');

circomkit('json', 'zkey', 'note');
circomkit('json', 'wtns', 'note', 'first');
const key = json('build/note/groth16_pkey.zkey.json');
const values = json('build/note/first/witness.wtns.json');
expect(key.A.length === key.nVars && values.length === key.nVars, 'a point of A and a value for each signal');
expect(values.slice(1, key.nPublic + 1).join() === publicSignals.join(), 'the public signals in the witness');

circomkit('compile', 'square');
circomkit('json', 'r1cs', 'square');
const { nVars, map, constraints } = json('build/square/square.r1cs.json');
expect(map.length === nVars && constraints.length === 1, 'a label for each wire and one constraint');

circomkit('contract', 'note');
const verifies = await deployVerifier(readFileSync('build/note/groth16_verifier.sol', 'utf8'));
const words = [
  ...proof.pi_a.slice(0, 2),
  ...proof.pi_b.slice(0, 2).flatMap(([c0, c1]) => [c1, c0]),
  ...proof.pi_c.slice(0, 2),
  ...publicSignals,
].map(BigInt);
expect(await verifies(words), 'a contract that accepts the proof');
const [first] = publicSignals.map(BigInt);
const wrong = {
  'another signal': words.with(8, (first + 1n) % R),
  'a signal plus r': words.with(8, first + R),
  'a coordinate plus p': words.with(1, words[1] + P),
  'the proof of another statement': [...words.slice(6, 8), ...words.slice(2)],
};
for (const [what, given] of Object.entries(wrong)) expect(!(await verifies(given)), `a contract that refuses ${what}`);

console.log(JSON.stringify({ proof, publicSignals, verified: said.includes('Verification successful') }));
