import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { downloadsOf } from '../../scripts/shipped/downloads.mjs';
import { CURVES_ON_GPU } from '../support/registry.js';
import { root } from '../support/root.js';

/** The scripts that a page may load, by their parts (`scripts/lib/page-chunks.mjs`). */
const { files } = JSON.parse(readFileSync(join(root, 'dist', 'assets.json'), 'utf8')) as { files: string[] };
const scripts = files.filter((file) => file.endsWith('.js'));

describe('the scripts of a page', () => {
  it.each([
    ['index.js', 3],
    ['coordinator.js', 4],
    ['kernel.js', 3],
    ['witness.js', 3],
    ['extension.js', 4],
    ['webview.js', 4],
  ])('%s needs few files: %i', (script, most) => {
    expect(downloadsOf([script]).length).toBeLessThanOrEqual(most);
  });

  it('loads what serves sums and KZG commitments alone, and what few proofs take, by itself', () => {
    const part =
      /chunk-(msm-bases|beyond-proofs|split-backend|kzg|precompute|plan-multiples|tune|circom1|key-forms|load-unpacked|browser-packing|download-cache)-/;
    const parts = scripts.filter((script) => part.test(script));
    expect(parts).toHaveLength(12);
    const others = scripts.filter((script) => !part.test(script));
    expect(downloadsOf(others).filter((file) => part.test(file))).toEqual([]);
  });

  it('loads in the background what only the workers use, or only when something fails', () => {
    const spare = /chunk-(deferred-code|scalars-kernel)-/;
    expect(scripts.filter((script) => spare.test(script))).toHaveLength(2);
    // A ceremony computes MSMs on workers of its own.
    const entries = scripts.filter((script) => !script.startsWith('chunk-') && script !== 'ceremony.js');
    expect(downloadsOf(entries).filter((file) => spare.test(file))).toEqual([]);
  });

  it('loads the code for the GPU and the shaders of a curve by itself', () => {
    const onGpu = /chunk-(gpu-code|[\w-]+-shaders)-/;
    const entries = scripts.filter((script) => !script.startsWith('chunk-'));
    expect(downloadsOf(entries).filter((file) => onGpu.test(file))).toEqual([]);
    for (const { id, transforms } of CURVES_ON_GPU) {
      const chunks = (name: string): readonly string[] =>
        scripts.filter((script) => script.startsWith(`chunk-${id}${name}-`));
      expect(chunks('-shaders')).toHaveLength(1);
      expect(chunks('-bytes-shaders')).toHaveLength(transforms === undefined ? 0 : 1);
    }
  });

  // Vite builds each worker with all that it names, and refuses workers that start each other in a circle.
  it.each(['kernel.js', 'witness.js'])('%s names no script that starts workers', (worker) => {
    const named = new Set([worker]);
    const starters: string[] = [];
    for (const script of named) {
      const text = readFileSync(join(root, 'dist', script), 'utf8');
      for (const [, other] of text.matchAll(/["`]\.\/(chunk-[\w-]+\.js)["`]/g)) named.add(other!);
      if (/new URL\(["`]\.\/(kernel|witness|coordinator)\.js["`]/.test(text)) starters.push(script);
    }
    expect(named.size).toBeGreaterThan(3);
    expect(starters).toEqual([]);
  });
});
