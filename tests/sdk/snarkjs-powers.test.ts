import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as snarkjs from 'snarkjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CURVES, pointBytes } from '../../sdk/curves/index.js';
import type * as Alias from '../../sdk/snarkjs-node.js';
import { firstKey } from '../ceremony/first-key.js';
import { MAKING_TIMEOUT } from '../support/circuits.js';
import { firstOf } from '../support/combinations.js';
import { endSnarkjs } from '../support/example.js';
import { built } from '../support/in-process-engine.js';
import { withSection } from '../support/section-bytes.js';

const BEACON = '0102030405060708090a0b0c0d0e0f10';
const POWER = 3;

let alias: typeof Alias;
const folder = mkdtempSync(join(tmpdir(), 'pippin-alias-powers-'));
beforeAll(async () => {
  alias = await import(/* @vite-ignore */ built('snarkjs-node.js'));
}, MAKING_TIMEOUT);
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await endSnarkjs();
});

const memory = (data?: Uint8Array): snarkjs.MemoryFile => ({ type: 'mem', ...(data && { data }) });

/** What a call of the alias and the same call of snarkjs write and return. */
async function both<T, U>(
  ours: (made: snarkjs.MemoryFile) => Promise<T>,
  theirs: (made: snarkjs.MemoryFile) => Promise<U>,
): Promise<{ readonly ours: T; readonly theirs: U; readonly files: readonly [Uint8Array, Uint8Array] }> {
  const made = [memory(), memory()] as const;
  const results = { ours: await ours(made[0]), theirs: await theirs(made[1]) };
  return { ...results, files: [new Uint8Array(made[0].data!), new Uint8Array(made[1].data!)] };
}

/** The same, with a file of the same bytes, which it returns, and the same result. */
async function expectSame<T>(
  ours: (made: snarkjs.MemoryFile) => Promise<T>,
  theirs: (made: snarkjs.MemoryFile) => Promise<T>,
): Promise<Uint8Array> {
  const made = await both(ours, theirs);
  expect(Buffer.from(made.files[0]).equals(made.files[1])).toBe(true);
  expect(plain(made.ours)).toEqual(plain(made.theirs));
  return made.files[0];
}

/** A hash as Uint8Array, of whatever class of array it is; anything else as it is. */
const plain = (result: unknown): unknown => (result instanceof Uint8Array ? new Uint8Array(result) : result);

/** What lies below the alias is compared with snarkjs over both curves (tests/ceremony/powers/). */
const TRIED = firstOf(['bn254', 'bls12-381'] as const);

describe.each(TRIED)('powersOfTau of the alias, over %s', (curve) => {
  let [ofAlias, ofSnarkjs]: [Awaited<ReturnType<typeof Alias.curves.getCurveFromName>>?, snarkjs.SnarkjsCurve?] = [];
  /** With a beacon. */
  let one: Uint8Array;
  let prepared: Uint8Array;
  beforeAll(async () => {
    const { name } = CURVES[curve].snarkjs!;
    ofAlias = await alias.curves.getCurveFromName(name);
    ofSnarkjs = await snarkjs.curves.getCurveFromName(name);
    const first = await expectSame(
      (made) => alias.powersOfTau.newAccumulator(ofAlias!, POWER, made),
      (made) => snarkjs.powersOfTau.newAccumulator(ofSnarkjs!, POWER, made),
    );
    one = await expectSame<unknown>(
      (made) => alias.powersOfTau.beacon(first, made, 'Beacon', BEACON, 10),
      (made) => snarkjs.powersOfTau.beacon(first, made, 'Beacon', BEACON, 10),
    );
    prepared = await expectSame(
      (made) => alias.powersOfTau.preparePhase2(one, made),
      (made) => snarkjs.powersOfTau.preparePhase2(one, made),
    );
  });

  it('contributes, and both verify', async () => {
    const made = memory();
    const hash = await alias.powersOfTau.contribute(one, made, 'Ada', 'some text');
    expect(hash).toHaveLength(64);
    const lines: string[] = [];
    const logger = { info: (line: string) => lines.push(line), debug: () => {}, error: () => {}, warn: () => {} };
    expect(await alias.powersOfTau.verify(made.data!, logger)).toBe(true);
    expect(lines.join('\n').replace(/\s/g, '')).toContain(Buffer.from(hash).toString('hex'));
    expect(await snarkjs.powersOfTau.verify(made.data!)).toBe(true);
  });

  it('exports challenges, responds to them and imports responses', async () => {
    const challenge = await expectSame(
      (made) => alias.powersOfTau.exportChallenge(one, made),
      (made) => snarkjs.powersOfTau.exportChallenge(one, made),
    );
    const responses = await both(
      (made) => alias.powersOfTau.challengeContribute(ofAlias!, memory(challenge.slice()), made, 'some text'),
      (made) => snarkjs.powersOfTau.challengeContribute(ofSnarkjs!, memory(challenge.slice()), made, 'some text'),
    );
    expect([responses.ours, responses.theirs]).toEqual([undefined, undefined]);
    for (const response of responses.files) {
      for (const hasPoints of [true, false]) {
        const file = (): snarkjs.MemoryFile => memory(response.slice());
        const imported = await expectSame(
          (made) => alias.powersOfTau.importResponse(one, file(), made, 'Ada', hasPoints),
          (made) => snarkjs.powersOfTau.importResponse(one, file(), made, 'Ada', hasPoints),
        );
        if (!hasPoints) continue;
        expect(await alias.powersOfTau.verify(imported)).toBe(true);
        expect(await snarkjs.powersOfTau.verify(imported)).toBe(true);
      }
    }
  });

  it('truncates prepared powers to all smaller ones', async () => {
    const [ours, theirs] = [join(folder, `${curve}-ours-`), join(folder, `${curve}-theirs-`)];
    expect(await alias.powersOfTau.truncate(prepared, ours)).toBe(true);
    expect(await snarkjs.powersOfTau.truncate(prepared, theirs)).toBe(true);
    for (let power = 1; power < POWER; power++) {
      const [a, b] = [ours, theirs].map((template) => readFileSync(`${template}0${power}.ptau`));
      expect(a!.equals(b!)).toBe(true);
    }
  });

  it('converts what an old snarkjs prepared, and exports JSON', async () => {
    const size = (2 ** (POWER + 1) - 1) * pointBytes(curve, 'g1');
    const old = withSection(prepared, 12, (body) => body.slice(0, size));
    const converted = await expectSame(
      (made) => alias.powersOfTau.convert(old, made),
      (made) => snarkjs.powersOfTau.convert(old, made),
    );
    expect(Buffer.from(converted).equals(prepared)).toBe(true);
    expect(await alias.powersOfTau.exportJson(prepared)).toStrictEqual(await snarkjs.powersOfTau.exportJson(prepared));
  });

  it("exports Groth16 keys as bellman's parameters, contributes to these and imports them", async () => {
    const { zkey: first, ptau } = await firstKey(curve);
    const made = memory();
    await alias.zKey.beacon(first, made, 'Beacon', BEACON, 10);
    const zkey = new Uint8Array(made.data!);
    const params = await expectSame(
      (file) => alias.zKey.exportBellman(zkey, file),
      (file) => snarkjs.zKey.exportBellman(zkey, file),
    );
    const contributed = await both(
      (file) => alias.zKey.bellmanContribute(ofAlias!, memory(params.slice()), file, 'some text'),
      (file) => snarkjs.zKey.bellmanContribute(ofSnarkjs!, memory(params.slice()), file, 'some text'),
    );
    expect([contributed.ours.length, contributed.theirs.length]).toEqual([64, 64]);
    for (const [i, made] of contributed.files.entries()) {
      const file = (): snarkjs.MemoryFile => memory(made.slice());
      const imported = await expectSame(
        (key) => alias.zKey.importBellman(zkey, file(), key, 'Ada'),
        (key) => snarkjs.zKey.importBellman(zkey, file(), key, 'Ada'),
      );
      const lines: string[] = [];
      const logger = { info: (line: string) => lines.push(line), error: (line: string) => lines.push(line) };
      expect(await alias.zKey.verifyFromInit(first, ptau, imported, logger)).toBe(true);
      const hash = Buffer.from([contributed.ours, contributed.theirs][i]!).toString('hex');
      expect(lines.join('\n').replace(/\s/g, '')).toContain(hash);
      expect(await snarkjs.zKey.verifyFromInit(first, ptau, imported)).toBe(true);
    }
  });
});
