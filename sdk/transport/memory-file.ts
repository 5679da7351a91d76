import { randomUUID } from 'node:crypto';
import { closeSync, openSync, read, unlinkSync, write, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import { PippinError } from '../base/errors.js';
import type { ByteWindow } from './byte-lane.js';

/** Where Linux keeps files in memory. */
const FOLDER = '/dev/shm';
/** Enough that pieces are written, read and on their way at the same time. */
const WINDOW_BYTES = 2 ** 25;

const writeAt = promisify(write);
const readAt = promisify(read);

/**
 * A file in memory without a name, which only processes that inherit its descriptor can open. What it holds is as
 * secret as their memory, and gone when they have ended.
 */
export class MemoryFile implements ByteWindow {
  readonly bytes = WINDOW_BYTES;
  private writes = 0;
  private closed = false;

  private constructor(readonly descriptor: number) {}

  /** undefined where there are no such files, or too little memory for one. */
  static open(): MemoryFile | undefined {
    let descriptor: number | undefined;
    try {
      const path = `${FOLDER}/pippin-${randomUUID()}`;
      descriptor = openSync(path, 'wx+', 0o600);
      unlinkSync(path);
      // Takes the memory now, so that it is there when it is needed.
      const zeros = new Uint8Array(WINDOW_BYTES);
      if (writeSync(descriptor, zeros, 0, WINDOW_BYTES, 0) === WINDOW_BYTES) return new MemoryFile(descriptor);
    } catch {
      // Another system, or a container without it.
    }
    if (descriptor !== undefined) closeSync(descriptor);
    return undefined;
  }

  async write(at: number, bytes: Uint8Array): Promise<void> {
    if (this.closed) throw new PippinError('DISPOSED', 'expected an open file in memory, got a closed one');
    this.writes++;
    try {
      for (let done = 0; done < bytes.length; ) {
        done += (await writeAt(this.descriptor, bytes, done, bytes.length - done, at + done)).bytesWritten;
      }
    } finally {
      this.writes--;
      this.closeIfUnused();
    }
  }

  /** Closes it when nothing is being written: the number of a closed descriptor may soon be another file's. */
  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.closeIfUnused();
  }

  private closeIfUnused(): void {
    if (this.closed && this.writes === 0) closeSync(this.descriptor);
  }
}

/** Fills `target` from such a file, from byte `at` on. */
export async function readMemoryFile(descriptor: number, at: number, target: Uint8Array): Promise<void> {
  for (let done = 0; done < target.length; ) {
    const { bytesRead } = await readAt(descriptor, target, done, target.length - done, at + done);
    if (bytesRead === 0) throw new PippinError('INTERNAL', `expected ${target.length} bytes at ${at}, got ${done}`);
    done += bytesRead;
  }
}
