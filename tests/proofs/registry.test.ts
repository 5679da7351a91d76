import { describe, expect, it } from 'vitest';
import { CURVES } from '../../sdk/curves/index.js';
import { PROOF_SYSTEMS } from '../../sdk/proofs/registry.js';

describe.each(Object.entries(PROOF_SYSTEMS))('the proof system %s', (_, system) => {
  it('names its parts, each once, and a curve with a pairing', () => {
    expect(system.parts.length).toBeGreaterThan(0);
    expect(new Set(system.parts).size).toBe(system.parts.length);
    expect(CURVES[system.usualCurve].pairing).toBeDefined();
  });
});
