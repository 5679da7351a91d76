import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { benchCommand } from '../../sdk/cli/commands/bench.js';
import { pointBytes } from '../../sdk/curves/index.js';
import { snarkjsWitness, testCircuit } from '../support/circuits.js';
import { pippin, runPippin } from '../support/cli.js';
import { endSnarkjs, example } from '../support/example.js';
import { runCommand } from '../support/run-command.js';
import { patched, sectionsOf, withSection } from '../support/section-bytes.js';

/** Where the points gamma2 and delta2 are in the header of a key over BN254. */
const G2_BYTES = pointBytes('bn254', 'g2');
const GAMMA2 = 84 + 2 * pointBytes('bn254', 'g1') + G2_BYTES;
const DELTA2 = GAMMA2 + G2_BYTES + pointBytes('bn254', 'g1');

const runs = ['--runs', '2', '--threads', '1'];

describe('pippin bench', () => {
  afterAll(endSnarkjs);

  it('measures sums on a backend', async () => {
    const { code, stdout, errors } = await pippin('bench', '--backend', 'wasm', '--size', '4', ...runs, '--json');
    expect({ code, errors }).toEqual({ code: 0, errors: [] });
    const { what, backends, ...facts } = JSON.parse(stdout);
    expect(what).toBe('An MSM over 2^4 points of G1 on BN254 with random scalars');
    expect(Object.keys(facts)).toEqual(['node', 'platform', 'cpu', 'cores', 'date', 'runs']);
    expect(backends).toHaveLength(1);
    const [{ backend, threads, timings }] = backends;
    expect({ backend, threads }).toEqual({ backend: 'wasm', threads: 1 });
    expect(Object.keys(timings)).toEqual(['start', 'load', 'first', 'later']);
    const { median, least, most } = timings.later;
    expect(least).toBeGreaterThan(0);
    expect(least <= median && median <= most).toBe(true);
  });

  it.each(['edwards-bls12', 'mnt4-753'])('measures sums on %s', async (curve) => {
    const args = ['bench', '--backend', 'wasm', '--size', '9', '--curve', curve, '--runs', '1'];
    expect(await pippin(...args)).toMatchObject({
      code: 0,
      errors: [],
      stdout: expect.stringMatching(/^wasm +[0-9.]+ ms/m),
    });
  });

  it('measures a proof, and tells why a backend was not measured', async () => {
    const files = ['--zkey', example.zkeyPath, '--wasm', example.wasmPath, '--input', '-'];
    const { code, stdout } = await runPippin(['bench', ...files, ...runs, '--json'], {
      stdin: JSON.stringify(example.inputs),
      env: { VK_DRIVER_FILES: '/nonexistent' },
    });
    expect(code).toBe(0);
    const { what, backends } = JSON.parse(stdout);
    expect(what).toBe('A proof with note.zkey from inputs');
    expect(backends).toMatchObject([
      { backend: 'wasm', timings: { loadCached: expect.any(Number) } },
      { backend: 'webgpu', reason: expect.stringContaining('WEBGPU_UNAVAILABLE') },
    ]);
  });

  it('measures with a key without a contribution only if it is allowed, and says how', async () => {
    const circuit = await testCircuit('smallest');
    const folder = await mkdtemp(join(tmpdir(), 'pippin-cli-bench-'));
    try {
      const [zkey, witness] = [join(folder, 'a.zkey'), join(folder, 'a.wtns')];
      const header = sectionsOf(circuit.zkey).find(([number]) => number === 2)![1];
      await writeFile(
        zkey,
        withSection(circuit.zkey, 2, (body) => patched(body, DELTA2, header.slice(GAMMA2, GAMMA2 + G2_BYTES))),
      );
      await writeFile(witness, await snarkjsWitness(circuit));
      const files = ['bench', '--zkey', zkey, '--witness', witness, '--backend', 'wasm', ...runs];
      expect((await pippin(...files)).stdout).toMatch(/^wasm: KEY_UNFINISHED: .*--allow-unfinished takes it/m);
      const { backends } = JSON.parse((await pippin(...files, '--allow-unfinished', '--json')).stdout);
      // Its points C and H are those of another delta, so that no proof holds.
      expect(backends).toEqual([{ backend: 'wasm', reason: expect.stringMatching(/^PROOF_INVALID: /) }]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('fails when no backend can be measured', async () => {
    const env = { VK_DRIVER_FILES: '/nonexistent' };
    const { code, stdout } = await runPippin(['bench', '--backend', 'webgpu', '--size', '4'], { env });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^webgpu: WEBGPU_UNAVAILABLE: /m);
  });

  it.each([
    [['--witness', 'a']],
    [['--allow-unfinished']],
    [['--zkey', 'a']],
    [['--zkey', 'a', '--witness', 'b', '--input', 'c', '--wasm', 'd']],
    [['--zkey', 'a', '--input', 'c']],
    [['--zkey', 'a', '--witness', 'b', '--size', '4']],
    [['--size', '3']],
    [['--size', '21']],
    [['--runs', '0']],
    [['--backend', 'auto']],
  ])('refuses %j', async (args) => {
    await expect(runCommand(benchCommand, ...args)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringMatching(/^expected .*got/),
    });
  });
});
