import { open } from 'node:fs/promises';
import { PippinError } from '../errors.js';
import { type ByteSource, expectWithin } from './byte-source.js';

/** A file by its path; opened for each read, so that nothing has to be closed. */
export async function openNodeFile(path: string): Promise<ByteSource> {
  const size = await withFile(path, async (file) => (await file.stat()).size);
  return {
    size,
    async read(offset, length) {
      expectWithin(size, offset, length);
      return withFile(path, async (file) => {
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

async function withFile<T>(path: string, work: (file: Awaited<ReturnType<typeof open>>) => Promise<T>): Promise<T> {
  let file: Awaited<ReturnType<typeof open>> | undefined;
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
