import { readdirSync, readlinkSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { nodeWorkerChannel } from '../../sdk/transport/node-worker.js';
import { built } from '../support/in-process-engine.js';
import { createProver } from '../support/prover.js';
import { UNIVERSAL_SYSTEMS } from '../support/universal-systems.js';

/** Whoever ends a thread waits from 0 to so many milliseconds, by steps of one. */
const LONGEST_MS = 30;

/** The scripts that this process has open. */
function openScripts(): string[] {
  return readdirSync('/proc/self/fd')
    .map((descriptor) => {
      try {
        return readlinkSync(`/proc/self/fd/${descriptor}`);
      } catch {
        // It was the list's own.
        return '';
      }
    })
    .filter((path) => path.endsWith('.js'));
}

it.runIf(process.platform === 'linux')('a thread that is ended while it starts leaves no script open', async () => {
  const before = openScripts();
  for (let ms = 0; ms <= LONGEST_MS; ms++) {
    const channels = Array.from({ length: 4 }, () => nodeWorkerChannel(pathToFileURL(built('kernel-node.js'))));
    await delay(ms);
    await Promise.all(channels.map((channel) => channel.terminate()));
  }
  expect(openScripts()).toEqual(before);
});

it.runIf(process.platform === 'linux')(
  'a prover that is disposed while it loads a key leaves no script open',
  async () => {
    // Its code is another part that is loaded.
    const { circuitOf, of } = UNIVERSAL_SYSTEMS[0]!;
    const { zkey } = await circuitOf('smallest');
    const before = openScripts();
    for (let ms = 0; ms <= LONGEST_MS; ms += 3) {
      const prover = await createProver({ threads: 2, cache: false, backend: 'wasm' });
      const ended = of(prover)
        .loadKey(zkey)
        .catch(({ code }) => code);
      await delay(ms);
      await prover.dispose();
      await ended;
    }
    await expect.poll(openScripts, { timeout: 2000 }).toEqual(before);
  },
);
