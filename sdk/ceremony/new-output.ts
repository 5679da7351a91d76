import { PippinError } from '../base/errors.js';
import type { OptionReader } from '../base/option-reader.js';
import { GrowingBytes } from '../files/growing-bytes.js';

/** A file that is being written. */
export interface NewFile {
  /** Takes bytes that nobody else uses. */
  write(bytes: Uint8Array): Promise<void>;
  /** Puts it in its place. */
  close(): Promise<void>;
  /** Leaves nothing of it. */
  abort(): Promise<void>;
  /** What has been written. */
  read(offset: number, length: number): Promise<Uint8Array<ArrayBuffer>>;
}

/** Begins a file at a path. */
export type CreateFile = (path: string | URL) => Promise<NewFile>;

/** What a new key is written to; `close` gives it, if it is a Blob. */
export interface NewOutput extends Omit<NewFile, 'close' | 'read'> {
  close(): Promise<Blob | undefined>;
  /** What has been written; undefined for streams. */
  readonly read: NewFile['read'] | undefined;
}

/** Makes a file where the options say. Nothing of it is left when `make` fails. */
export async function writeNewFile<T>(
  createFile: CreateFile | undefined,
  to: unknown,
  reader: OptionReader,
  make: (file: NewOutput) => Promise<T>,
): Promise<{ readonly made: T; readonly blob: Blob | undefined }> {
  const file = await openOutput(createFile, to, reader);
  try {
    const made = await make(file);
    return { made, blob: await file.close() };
  } catch (error) {
    await file.abort().catch(() => undefined);
    throw error;
  }
}

async function openOutput(createFile: CreateFile | undefined, to: unknown, reader: OptionReader): Promise<NewOutput> {
  if (to === undefined) {
    const blob = new GrowingBytes();
    return {
      write: async (bytes) => blob.append(bytes as Uint8Array<ArrayBuffer>),
      close: async () => blob.blob(),
      abort: async () => undefined,
      read: (offset, length) => blob.source().read(offset, length),
    };
  }
  if (to instanceof WritableStream) return streamOutput(to as WritableStream<Uint8Array>);
  if ((typeof to === 'string' || to instanceof URL) && createFile !== undefined) {
    const file = await createFile(to);
    return {
      ...file,
      close: async () => {
        await file.close();
        return undefined;
      },
    };
  }
  throw reader.wrong('to', createFile === undefined ? 'a stream' : 'a stream, a path or a file URL', to);
}

function streamOutput(stream: WritableStream<Uint8Array>): NewOutput {
  const writer = stream.getWriter();
  const failed = (error: unknown): never => {
    throw new PippinError('IO_FAILED', `expected to write the key to a stream, got: ${String(error)}`, {
      cause: error,
    });
  };
  return {
    write: async (bytes) => {
      await writer.ready.catch(failed);
      await writer.write(bytes).catch(failed);
    },
    close: async () => {
      await writer.close().catch(failed);
      return undefined;
    },
    abort: () => writer.abort(),
    read: undefined,
  };
}
