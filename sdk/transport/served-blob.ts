import { MessageChannel } from 'node:worker_threads';
import nodeEndpoint from 'comlink/dist/esm/node-adapter.mjs';
import { PippinError } from '../base/errors.js';
import { type ByteSource, blobSource, type ClosableSource, type ServedBlob } from '../files/byte-source.js';
import { openNodeFile } from '../files/node-file.js';
import { exposeMethods, moveResult, releaseRemote, remote } from './remote.js';

/** Ports through which nothing is read any more. */
const closed = new WeakSet<MessagePort>();

/**
 * Lets another thread read a Blob of this one in pieces, until it closes the port. The process need not wait for that.
 */
export function serveBlob(blob: Blob): ServedBlob {
  const { port1, port2 } = new MessageChannel();
  const source = blobSource(blob);
  const read: ByteSource['read'] = async (offset, length) => moveResult(await source.read(offset, length));
  exposeMethods({ read }, nodeEndpoint(port1));
  port1.unref();
  return { size: blob.size, port: port2 as unknown as MessagePort };
}

/** A file by its path, or a Blob that another thread serves. */
export async function openPathOrBlob(file: string | ServedBlob): Promise<ClosableSource> {
  return typeof file === 'string' ? openNodeFile(file) : openServedBlob(file);
}

function openServedBlob({ size, port }: ServedBlob): ClosableSource {
  if (closed.has(port))
    throw new PippinError('IO_FAILED', 'expected a Blob that is open, got one that was read before');
  const endpoint = nodeEndpoint(port as never);
  const { read } = remote<Pick<ByteSource, 'read'>>(endpoint);
  (port as unknown as { unref(): void }).unref();
  return {
    size,
    read,
    async close() {
      closed.add(port);
      releaseRemote(endpoint);
      port.close();
    },
  };
}
