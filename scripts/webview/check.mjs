import { deepStrictEqual, ok } from 'node:assert';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { exampleFolder } from '../lib/example.mjs';
import { root } from '../lib/run.mjs';

/** Verifies proofs in Node, with the key that the app has. */
export async function makeVerifier() {
  const { createProver } = await import(pathToFileURL(join(root, 'dist', 'node.js')).href);
  const prover = await createProver({ backend: 'wasm', threads: 1, cache: false });
  const key = JSON.parse(readFileSync(join(exampleFolder, 'key', 'note.vkey.json'), 'utf8'));
  return {
    /** Fails unless the message is a result whose proof holds. @param {any} message */
    async holds(message) {
      ok(message.type === 'result', `expected a result, got ${message.type} ${message.code}: ${message.message}`);
      ok(
        await prover.groth16.verify(key, message.publicSignals, message.proof),
        `the proof ${message.id} does not hold`,
      );
    },
    close: () => prover.dispose(),
  };
}

/** @param {unknown} got @param {unknown} expected @param {string} what */
export function equal(got, expected, what) {
  deepStrictEqual(got, expected, `${what}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(got)}`);
}

/** The states of a proof in the order in which they were told. @param {readonly any[]} messages @param {string} id */
export function statesOf(messages, id) {
  return messages
    .filter((message) => message.type === 'state' && message.id === id)
    .map(({ state, reason, attempt }) => [state, reason, attempt].filter((part) => part !== undefined).join(' '));
}

/** Fails if the progress that one page tells of a proof falls, or leaves 0 to 1. @param {readonly any[]} messages @param {string} id */
export function risesIn(messages, id) {
  const told = messages.filter((message) => message.type === 'progress' && message.id === id);
  ok(told.length > 0, `expected a progress of ${id}, got none`);
  let reached = 0;
  for (const { fraction } of told) {
    ok(fraction >= reached && fraction <= 1, `the progress of ${id} fell to ${fraction}`);
    reached = fraction;
  }
}
