import { describe, expect, it } from 'vitest';
import { CURVES } from '../../sdk/curves/index.js';
import { proofSystem } from '../../sdk/proofs/registry.js';

describe.each(['groth16', 'plonk', 'fflonk'] as const)('the proof system %s', (protocol) => {
  it('names its parts, each once, and a curve with a pairing', async () => {
    const system = await proofSystem(protocol);
    expect(system.parts.length).toBeGreaterThan(0);
    expect(new Set(system.parts).size).toBe(system.parts.length);
    expect(CURVES[system.usualCurve].pairing).toBeDefined();
  });
});
