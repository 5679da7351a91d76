import { type FileHandle, open } from 'node:fs/promises';
import { PippinError } from '../errors.js';
import { type ByteSource, expectWithin } from './byte-source.js';

/**
 * A file by its path. Each read opens it, so that nothing has to be closed later. A read fails with `IO_FAILED` if the file has changed since
 * this call, so that parts of two different keys are never combined.
 */
export async function openNodeFile(path: string): Promise<ByteSource> {
  const { size, mtimeMs } = await withFile(path, (file) => file.stat());
  return {
    size,
    async read(offset, length) {
      expectWithin(size, offset, length);
      return withFile(path, async (file) => {
        const now = await file.stat();
        if (now.size !== size || now.mtimeMs !== mtimeMs) throw new Error('it was changed since it was opened');
        const bytes = new Uint8Array(length);
        for (let done = 0; done < length; ) {
          const { bytesRead } = await file.read(bytes, done, length - done, offset + done);
          if (bytesRead === 0) throw new Error(`the file ends at ${offset + done}`);
          done += bytesRead;
        }
        return bytes;
      });
    },
  };
}

async function withFile<T>(path: string, work: (file: FileHandle) => Promise<T>): Promise<T> {
  let file: FileHandle | undefined;
  try {
    file = await open(path);
    return await work(file);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new PippinError('IO_FAILED', `expected to read the file ${path}, got: ${reason}`, { cause: error });
  } finally {
    await file?.close();
  }
}
