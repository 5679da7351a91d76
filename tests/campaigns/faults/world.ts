import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Prover } from '../../../sdk/api/index.js';
import type { Notice } from '../../../sdk/api/progress.js';
import { PippinError } from '../../../sdk/base/errors.js';
import { Engine } from '../../../sdk/engine/engine.js';
import type { EngineEvent } from '../../../sdk/engine/engine-api.js';
import type { EnginePlatform } from '../../../sdk/engine/platform.js';
import { openNodeFile } from '../../../sdk/files/node-file.js';
import { nodeEnginePlatform, openRemoteGpus } from '../../../sdk/hosts/node/node-engine.js';
import { createProverOn } from '../../../sdk/hosts/prover/prover.js';
import type { VirtualDevice } from '../../executors/gpu/virtual-gpu.js';
import { FakeWorker } from '../../support/fake-worker.js';
import { FaultyStore } from '../../support/faulty-store.js';
import { builtModules } from '../../support/in-process-engine.js';
import { type Fault, FaultLine, never } from './fault-line.js';
import { faultyGpu, faultyProcess } from './gpu-seams.js';
import { faultyFetch, faultyFile, faultyKernel, faultyStore, faultyWitness } from './seams.js';

/** Who computes in a world. */
export interface Setting {
  readonly name: 'workers' | 'a wrong GPU' | 'a GPU' | 'two GPUs';
}

/** What callers name by a path or a URL. */
export interface Files {
  readonly zkey: Uint8Array;
  readonly plonk: Uint8Array;
  readonly fflonk: Uint8Array;
  /** Powers of tau, as a .ptau file. */
  readonly powers: Uint8Array;
  readonly points: Uint8Array;
  /** Fetched. */
  readonly circuit: Uint8Array;
}

/** The files that are named by a path. */
const PATHS = ['zkey', 'plonk', 'fflonk', 'powers', 'points'] as const;
export type PathName = (typeof PATHS)[number];

export const CIRCUIT_URL = 'https://campaign.invalid/circuit.wasm';

/** Compiled modules by their curves and parts. */
const modules = new Map<string, Promise<WebAssembly.Module>>();

/** A prover of which everything that it uses can fail, and which is watched for what it leaves behind. */
export class World {
  readonly line: FaultLine;
  readonly notices: Notice[] = [];
  prover: Prover | undefined;
  disposing: Promise<void> | undefined;
  private readonly folder = mkdtempSync(join(tmpdir(), 'pippin-faults-'));
  private readonly store = new FaultyStore();
  private readonly workers: FakeWorker[] = [];
  private openFiles = 0;
  private listeners = 0;
  private devices: readonly VirtualDevice[] = [];
  private controller = new AbortController();
  private writes = 0;
  private isChanged = false;

  constructor(
    private readonly setting: Setting,
    private readonly files: Files,
    faults: readonly Fault[],
  ) {
    this.line = new FaultLine(faults, (kind) => this.interrupt(kind));
    this.writeFiles();
  }

  /** Whether the kernels of its GPU do nothing. They compile at once, but its first sum is refused. */
  get hasWrongGpu(): boolean {
    return this.setting.name === 'a wrong GPU';
  }

  pathOf(name: PathName): string {
    return join(this.folder, name);
  }

  /** A signal for the next call, whose listeners are counted. */
  signal(): AbortSignal {
    this.controller = new AbortController();
    const { signal } = this.controller;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...given: Parameters<typeof add>) => {
      this.listeners++;
      add(...given);
    };
    signal.removeEventListener = (...given: Parameters<typeof remove>) => {
      this.listeners--;
      remove(...given);
    };
    return signal;
  }

  async start(): Promise<Prover> {
    const { line, setting } = this;
    const usesGpu = setting.name !== 'workers';
    const isEmpty = this.hasWrongGpu;
    const gpu = usesGpu ? await faultyGpu(line, isEmpty) : undefined;
    this.devices = gpu?.devices ?? [];
    const spawnDevice = await faultyProcess(line);
    const watchedDevice = () => {
      const device = spawnDevice();
      this.watched(device.channel);
      return device;
    };
    const platform: EnginePlatform = {
      ...nodeEnginePlatform,
      gpuDelayMs: 0,
      spawnKernel: () => this.watched(faultyKernel(line)),
      spawnWitness: () => this.watched(faultyWitness(line)),
      openRemoteGpus: (config, notice) => openRemoteGpus(watchedDevice, config, notice),
      gpu: async () => gpu?.gpu,
      // As in a browser: what is silent here is not the device itself.
      gpuEndsAtOnce: true,
      compileWasm: (curve, part, assets) => this.compile(curve, part, assets),
      openStore: async () => {
        const kind = line.cross('store.open');
        if (kind === 'silent') return never();
        if (kind === 'rejected') throw new Error('no storage (a fault)');
        return faultyStore(this.store, line);
      },
      openFile: (path) => this.open(String(path)),
    };
    const options = {
      backend: usesGpu ? 'webgpu' : 'wasm',
      threads: usesGpu ? 1 : 2,
      cache: true,
      assets: { wasm: builtModules() },
      onNotice: (notice: Notice) => this.notices.push(notice),
      ...(setting.name === 'two GPUs' && { devices: [{}] }),
    } as const;
    this.prover = undefined;
    this.disposing = undefined;
    this.prover = await createProverOn(
      {
        spawnCoordinator: () => new FakeWorker((emit: (event: EngineEvent) => void) => new Engine(platform, emit)),
        startEngineHere: () => Promise.reject(new Error('expected no engine without workers')),
        locate: (location) => location,
        describeLocation: (location) =>
          String(location) === CIRCUIT_URL
            ? { kind: 'url', url: CIRCUIT_URL }
            : { kind: 'path', path: String(location) },
        disposeTimeoutMs: 5 * 60_000,
      },
      options,
    );
    return this.prover;
  }

  /** Stands for the global `fetch`. */
  get fetch(): typeof fetch {
    return faultyFetch(this.line, () => this.gone(), this.files.circuit);
  }

  /** Puts back what a fault has changed. */
  restoreFiles(): void {
    if (this.isChanged) this.writeFiles();
  }

  private writeFiles(): void {
    this.isChanged = false;
    for (const name of PATHS) {
      writeFileSync(this.pathOf(name), this.files[name]);
      // Each version has a time of its own, long past.
      const time = 1e9 + ++this.writes;
      utimesSync(this.pathOf(name), time, time);
    }
  }

  /** Disposes the prover, if there is one. */
  async dispose(): Promise<void> {
    this.disposing ??= this.prover?.dispose();
    await this.disposing;
  }

  /** What a disposed prover has left behind. */
  async leaks(): Promise<string[]> {
    // Files are closed by their own turns.
    for (let turn = 0; turn < 50 && this.openFiles > 0; turn++) await delay(1);
    const living = this.workers.filter(({ terminated }) => !terminated).length;
    const kept = this.devices.filter(({ isLost }) => !isLost).length;
    const counts = { workers: living, files: this.openFiles, devices: kept, listeners: this.listeners };
    return Object.entries(counts).flatMap(([what, count]) => (count === 0 ? [] : [`${count} ${what}`]));
  }

  close(): void {
    rmSync(this.folder, { recursive: true });
  }

  private interrupt(kind: string): void {
    if (kind === 'disposed') void this.dispose();
    else this.controller.abort();
  }

  /** Lets the caller give up, and waits a little longer. */
  private async gone(): Promise<void> {
    await delay(5);
    this.controller.abort();
    await delay(5);
  }

  private watched(worker: FakeWorker): FakeWorker {
    this.workers.push(worker);
    return worker;
  }

  private async compile(...given: Parameters<EnginePlatform['compileWasm']>): Promise<WebAssembly.Module> {
    const kind = this.line.cross('wasm.compile');
    if (kind === 'rejected') throw new PippinError('IO_FAILED', 'expected WASM, got a fault');
    if (kind === 'unanswered') await this.gone();
    const [curve, part] = given;
    const key = `${curve} ${part}`;
    if (!modules.has(key)) modules.set(key, nodeEnginePlatform.compileWasm(...given));
    return modules.get(key)!;
  }

  private async open(path: string): ReturnType<typeof openNodeFile> {
    const kind = this.line.cross('file.open');
    if (kind === 'rejected') throw new PippinError('IO_FAILED', 'expected to open a file, got a fault');
    if (kind === 'unanswered') await this.gone();
    const file = await openNodeFile(path);
    this.openFiles++;
    const close = async (): Promise<void> => {
      this.openFiles--;
      await file.close();
    };
    const change = (): void => {
      this.isChanged = true;
      writeFileSync(
        path,
        this.files[basename(path) as PathName].map((byte, i) => (i % 100 === 99 ? byte ^ 1 : byte)),
      );
    };
    return faultyFile({ ...file, close }, this.line, () => this.gone(), change);
  }
}
