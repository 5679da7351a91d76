import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { openFiles } from '../campaigns/left-behind.js';
import { createProver } from '../support/prover.js';
import { UNIVERSAL_SYSTEMS } from '../support/universal-systems.js';

/** Provers are disposed from 0 to so many milliseconds after they have begun to load a key, by steps of `STEP_MS`. */
const LONGEST_MS = 30;
const STEP_MS = 3;

/** The scripts that this process has open. */
const openScripts = (): string[] => openFiles().filter((file) => file.endsWith('.js'));

it.runIf(process.platform === 'linux')(
  'a prover that is disposed while it loads a key leaves no script open',
  async () => {
    const subjects = await Promise.all(
      UNIVERSAL_SYSTEMS.map(async ({ circuitOf, of }) => ({ zkey: (await circuitOf('smallest')).zkey, of })),
    );
    const before = openScripts();
    for (const { zkey, of } of subjects) {
      for (let ms = 0; ms <= LONGEST_MS; ms += STEP_MS) {
        const prover = await createProver({ threads: 2, cache: false, backend: 'wasm' });
        const ended = of(prover)
          .loadKey(zkey)
          .catch(({ code }) => code);
        await delay(ms);
        await prover.dispose();
        await ended;
      }
    }
    const left = () => openScripts().filter((file) => !before.includes(file));
    await expect.poll(left, { timeout: 2000 }).toEqual([]);
  },
);
