import type { BackendChoice, BinarySource } from '../api/index.js';
import { untilAborted } from '../base/abort.js';
import { joinBytes } from '../base/bytes.js';
import { wipe } from '../base/free-memory.js';
import { OptionReader } from '../base/option-reader.js';
import { CURVES, type Curve, type CurveId } from '../curves/index.js';
import { type FilePlatform, filesOf, type ReadOptions, readSource } from '../encodings/read-source.js';
import type { GpuPlatform } from '../engine/device-opener.js';
import { kernelCount, type ThreadPlatform } from '../engine/platform.js';
import type { CompilePart } from '../executors/workers/pool/open-kernels.js';
import { KernelPool } from '../executors/workers/pool/pool.js';
import type { ByteSource } from '../files/byte-source.js';
import { toHex } from '../files/cache/sha256.js';
import { KEY_CURVES } from '../files/snarkjs/known-curves.js';
import { type AssetPlaces, assetPlaces, type Locate } from '../hosts/prover/asset-places.js';
import type { WorkerChannel } from '../transport/channel.js';
import type { Beacon, Contribute, CreateKey, DescribeKey, KeyHistory, NewKey, VerifyContributions } from './api.js';
import { BEACON_ITERATIONS, beaconLimitOf, beaconSeed } from './beacon-seed.js';
import { CeremonyGpu } from './ceremony-gpu.js';
import type { BulkHash, CeremonyWork } from './ceremony-work.js';
import { contributeTo, drawSeed, openKey, ZKEY_SECTIONS } from './contribute.js';
import { type BeaconParameters, type History, hashOfContribution } from './contributions.js';
import { type CreateFile, type NewOutput, writeNewFile } from './new-output.js';
import { beginZkey, writeSection } from './section-writer.js';
import { FirstGroth16Key, openGroth16SetUp } from './setup/groth16-key.js';
import { faultOfKeyOfCircuit } from './setup/verify-set-up.js';
import { faultOfKey } from './verify.js';

/** The calls of a ceremony. */
export interface Ceremonies {
  readonly newKey: CreateKey;
  readonly contribute: Contribute;
  readonly beacon: Beacon;
  readonly verifyContributions: VerifyContributions;
  readonly describeKey: DescribeKey;
}

/** What a ceremony needs from its platform, a browser or Node. */
export interface CeremonyPlatform extends FilePlatform, GpuPlatform, Pick<ThreadPlatform, 'threads' | 'compileWasm'> {
  readonly locate: Locate;
  /** The quickest Blake2b-512. */
  newHash(): BulkHash;
  spawnKernel(places: AssetPlaces): WorkerChannel;
  /** Undefined on platforms without paths. */
  readonly createFile: CreateFile | undefined;
}

const BACKENDS: readonly BackendChoice[] = ['auto', 'webgpu', 'wasm'];
/** The most threads that a caller can ask for. */
const MOST_THREADS = 1024;
const MOST_BEACON_BYTES = 255;

/** The options that all calls have. */
export interface CallSetup {
  readonly backend: BackendChoice;
  readonly threads: number | undefined;
  readonly places: AssetPlaces;
  readonly files: ReadOptions;
  readonly onProgress: (fraction: number) => void;
}

/** Reads the options that all calls have. */
export function setupOf({ locate }: CeremonyPlatform, reader: OptionReader): CallSetup {
  const files = filesOf(reader);
  const listener = reader.listener<number>('onProgress');
  return {
    backend: backendOf(reader),
    threads: reader.integer('threads', 1, MOST_THREADS),
    places: assetPlaces(reader, locate),
    files,
    onProgress: (fraction) => listener?.tell(fraction),
  };
}

/** The options that all calls have that make a file. */
export interface OutputSetup extends CallSetup {
  /** Makes the file where the options say. Nothing of it is left when `make` fails. */
  writeFile<T>(make: (file: NewOutput) => Promise<T>): Promise<{ readonly made: T; readonly blob: Blob | undefined }>;
}

/** Reads the last options of a call that makes a file: `INVALID_ARGUMENT` if there are others. */
export function outputSetupOf(platform: CeremonyPlatform, reader: OptionReader): OutputSetup {
  const to = reader.read('to') ?? undefined;
  const setup = setupOf(platform, reader);
  reader.expectNoOthers();
  return { ...setup, writeFile: (make) => writeNewFile(platform.createFile, to, reader, make) };
}

/** See `newKey`, `contribute`, `beacon`, `verifyContributions` and `describeKey` of the entry. */
export function ceremonyOn(platform: CeremonyPlatform): Ceremonies {
  /** Writes a new key to where the options say. */
  async function makeKey(
    zkey: BinarySource,
    reader: OptionReader,
    seedOf: (setup: CallSetup) => Promise<Uint8Array>,
    beacon?: BeaconParameters,
  ): Promise<NewKey> {
    const name = textOf(reader, 'name');
    const setup = outputSetupOf(platform, reader);
    return readSource(platform, zkey, 'a .zkey', setup.files, (source) =>
      withWorkers(platform, setup, async (work) => {
        const seed = await seedOf(setup);
        const { onProgress } = setup;
        try {
          const { blob, made } = await setup.writeFile(({ write }) =>
            contributeTo(source, seed, write, { ...work, name, beacon, onProgress }),
          );
          const hashes = { hash: toHex(made.hash), circuitHash: toHex(made.circuitHash) };
          return { ...(blob && { zkey: blob }), ...hashes, backend: work.gpu.backend };
        } finally {
          wipe(seed);
        }
      }),
    );
  }

  return {
    async newKey(r1cs, ptau, options) {
      const reader = new OptionReader(options, 'the options of newKey');
      const setup = outputSetupOf(platform, reader);
      return readSource(platform, r1cs, 'an .r1cs', setup.files, (circuit) =>
        readSource(platform, ptau, 'a .ptau', setup.files, (powers) =>
          withWorkers(platform, setup, async (work) => {
            const key = new FirstGroth16Key(await openGroth16SetUp(work, circuit, powers), setup.onProgress);
            const { blob } = await setup.writeFile(async ({ write }) => {
              await beginZkey(write, ZKEY_SECTIONS);
              for await (const section of key.sections()) await writeSection(write, section);
            });
            return { ...(blob && { zkey: blob }), circuitHash: toHex(key.circuitHash) };
          }),
        ),
      );
    },

    async contribute(zkey, options) {
      const reader = new OptionReader(options, 'the options of contribute');
      const entropy = entropyOf(reader);
      return makeKey(zkey, reader, async () => drawSeed(entropy));
    },

    async beacon(zkey, options) {
      const reader = new OptionReader(options, 'the options of beacon');
      const parameters = beaconOf(reader);
      return makeKey(zkey, reader, ({ files }) => beaconSeed(parameters, files.signal), parameters);
    },

    async verifyContributions(zkey, options) {
      const reader = new OptionReader(options, 'the options of verifyContributions');
      const [first, r1cs, ptau] = (['first', 'r1cs', 'ptau'] as const).map(
        (name) => (reader.read(name) ?? undefined) as BinarySource | undefined,
      );
      if ((first === undefined) === (r1cs === undefined)) {
        throw reader.wrong('first', 'the first key or, in its place, r1cs', first);
      }
      if (r1cs !== undefined && ptau === undefined) throw reader.wrong('ptau', 'the powers of tau for r1cs', ptau);
      const maxBeaconIterations = beaconLimitOf(reader);
      const setup = setupOf(platform, reader);
      reader.expectNoOthers();
      /** The file's source, where there is a file. */
      const read = <T>(
        file: BinarySource | undefined,
        what: string,
        work: (source: ByteSource | undefined) => Promise<T>,
      ): Promise<T> => (file === undefined ? work(undefined) : readSource(platform, file, what, setup.files, work));
      return readSource(platform, zkey, 'a .zkey', setup.files, (source) =>
        read(first, 'the first .zkey', (firstKey) =>
          read(r1cs, 'an .r1cs', (circuit) =>
            read(ptau, 'a .ptau', (powers) =>
              withWorkers(platform, setup, async (work) => {
                const told = { ...work, onProgress: setup.onProgress };
                const fault =
                  firstKey === undefined
                    ? faultOfKeyOfCircuit(told, source, { r1cs: circuit!, ptau: powers!, maxBeaconIterations })
                    : faultOfKey(told, source, { first: firstKey, ptau: powers, maxBeaconIterations });
                const { fault: found, history } = await fault;
                return {
                  isValid: found === undefined,
                  ...(found !== undefined && { fault: found }),
                  ...factsOf(history),
                };
              }),
            ),
          ),
        ),
      );
    },

    async describeKey(zkey, options) {
      const reader = new OptionReader(options, 'the options of describeKey');
      const files = filesOf(reader);
      reader.expectNoOthers();
      return readSource(platform, zkey, 'a .zkey', files, async (source) => {
        const { key, history } = await openKey(source);
        const { curve, facts, vectors } = key;
        return { curve, ...facts, points: vectors.C.count + vectors.H.count, ...factsOf(history) };
      });
    },
  };
}

function factsOf(history: History): KeyHistory {
  return {
    circuitHash: toHex(history.circuitHash),
    contributions: history.contributions.map((record) => ({
      ...(record.name !== undefined && { name: record.name }),
      hash: toHex(hashOfContribution(record)),
      ...(record.beacon && { beacon: { hash: toHex(record.beacon.hash), iterations: record.beacon.iterations } }),
    })),
  };
}

/** Runs `work` with kernel workers, and perhaps a GPU, that end with it. */
export async function withWorkers<T>(
  platform: CeremonyPlatform,
  { backend, threads, places, files }: CallSetup,
  work: (ceremony: CeremonyWork) => Promise<T>,
): Promise<T> {
  const { spawnKernel, compileWasm, threads: reported } = platform;
  const gpu = new CeremonyGpu(platform, backend);
  const pool = new KernelPool(() => spawnKernel(places), kernelCount(threads, reported));
  const open = new Set<CurveId>();
  try {
    return await work({
      pool,
      gpu,
      newHash: platform.newHash,
      signal: files.signal,
      async open(curve) {
        // Scripts and modules of the workers may be on their way for long.
        const compile: CompilePart = (part) => compileWasm(curve, part, places.assets);
        if (!open.has(curve)) await untilAborted(pool.open(curve, compile), files.signal);
        open.add(curve);
      },
      module: (curve, part) => untilAborted(pool.module(curve, part), files.signal),
    });
  } finally {
    await Promise.all([pool.dispose(), gpu.close()]);
  }
}

export function textOf(reader: OptionReader, name: string): string | undefined {
  const value = reader.read(name) ?? undefined;
  if (value !== undefined && typeof value !== 'string') throw reader.wrong(name, 'a string', value);
  return value;
}

/** The curve that an option names. */
export function curveOf(reader: OptionReader): Curve {
  const curve = KEY_CURVES.find(({ id }) => id === reader.read('curve'));
  if (curve !== undefined) return CURVES[curve.id];
  throw reader.wrong('curve', KEY_CURVES.map(({ id }) => `"${id}"`).join(' or '), reader.read('curve'));
}

function backendOf(reader: OptionReader): BackendChoice {
  const value = reader.read('backend') ?? 'auto';
  if (BACKENDS.includes(value as BackendChoice)) return value as BackendChoice;
  throw reader.wrong('backend', BACKENDS.map((each) => `"${each}"`).join(' or '), value);
}

export function entropyOf(reader: OptionReader): Uint8Array {
  const value = reader.read('entropy') ?? '';
  if (typeof value === 'string') return new TextEncoder().encode(value);
  if (value instanceof Uint8Array) return value;
  throw reader.wrong('entropy', 'a string or a Uint8Array', value);
}

export function beaconOf(reader: OptionReader): BeaconParameters {
  const given = reader.read('hash');
  const hash = typeof given === 'string' ? bytesOfHex(given) : given;
  if (!(hash instanceof Uint8Array) || hash.length === 0 || hash.length > MOST_BEACON_BYTES) {
    throw reader.wrong('hash', `1 to ${MOST_BEACON_BYTES} bytes, or their hexadecimal digits`, given);
  }
  const iterations = reader.integer('iterations', BEACON_ITERATIONS.least, BEACON_ITERATIONS.most);
  if (iterations === undefined) throw reader.wrong('iterations', 'an integer from 10 to 63', undefined);
  return { hash: joinBytes([hash]), iterations };
}

/** The bytes of hexadecimal digits, which may follow 0x; undefined for anything else. */
function bytesOfHex(text: string): Uint8Array | undefined {
  const digits = text.replace(/^0x/, '');
  if (!/^([\da-f]{2})+$/i.test(digits)) return undefined;
  return Uint8Array.from(digits.match(/../g)!, (pair) => Number.parseInt(pair, 16));
}
