import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveFolder } from '../../scripts/lib/static-server.mjs';
import { bn254 } from '../../sdk/curves/index.js';
import { encodePoint } from '../../sdk/curves/point-bytes.js';
import type * as Sdk from '../../sdk/index.js';
import { encodePoints, multipleOf, progression } from '../support/points.js';
import { root } from '../support/root.js';
import { sharedBrowser } from '../support/shared-browser.js';

/** MSMs in a page of headless Chromium: where it is cross-origin isolated, its threads share the scalars. */

let browser: Awaited<ReturnType<typeof sharedBrowser>>;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pippin-isolated-'));
  await symlink(join(root, 'dist'), join(folder, 'dist'));
  const script = `<script type="module">globalThis.Pippin = await import('./dist/index.js')</script>`;
  await writeFile(join(folder, 'index.html'), `<!doctype html><title>MSMs</title>${script}`);
  browser = await sharedBrowser();
});
afterAll(async () => {
  await browser?.close();
  await rm(folder, { recursive: true, force: true });
});

describe.each([true, false])('a page whose isolation is %s', (isolated) => {
  it('gets right MSMs from calls at once, whose scalars change after the call', async () => {
    const server = await serveFolder(folder, { isolated });
    const page = await browser.context.newPage();
    try {
      await page.goto(server.url);
      await page.waitForFunction('globalThis.Pippin !== undefined');
      const point = encodePoints(bn254, progression(bn254, 1, 1n, 0n).points);
      const found = await page.evaluate(
        async ({ point, count, factors }) => {
          const { Pippin } = globalThis as unknown as { Pippin: typeof Sdk };
          const prover = await Pippin.createProver({ backend: 'wasm', threads: 2, cache: false });
          const points = new Uint8Array(count * point.length);
          for (let at = 0; at < points.length; at += point.length) points.set(point, at);
          const bases = await prover.loadBases({ curve: 'bn254', points });
          const running = factors.map((factor) => {
            const scalars = new Uint8Array(32 * count);
            for (let at = 0; at < scalars.length; at += 32) scalars[at] = factor;
            const result = prover.msm(bases, scalars);
            scalars.fill(255);
            return result;
          });
          const results = await Promise.all(running);
          const { crossOriginIsolated } = prover.capabilities;
          await prover.dispose();
          return { crossOriginIsolated, points: results.map(({ bytes }) => Array.from(bytes)) };
        },
        { point: Array.from(point), count: 2 ** 14, factors: [3, 250, 77] },
      );
      expect(found.crossOriginIsolated).toBe(isolated);
      const expected = [3n, 250n, 77n].map((factor) => encodePoint('bn254', 'g1', multipleOf(bn254, factor << 14n)));
      expect(found.points.map((bytes) => Uint8Array.from(bytes))).toEqual(expected);
    } finally {
      await page.close();
      await server.close();
    }
  });
});
