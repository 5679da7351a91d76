import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How often bytes are sent, ms. */
const TICK_MS = 5;

/** A file on a slow line. */
export interface SlowLine {
  readonly url: string;
  /** When the last byte was sent, by `performance.now()` of this process; 0 until then. */
  sentAt(): number;
  close(): void;
}

/**
 * Serves a file at a rate, to one client, which may be a page of another origin. Ranges, which a client asks for ahead
 * of the rest, are answered at once.
 */
export async function serveAtRate(
  file: Uint8Array,
  mbit: number,
  headers: Readonly<Record<string, string>> = {},
): Promise<SlowLine> {
  let sentAt = 0;
  const bytesPerMs = (mbit * 1e6) / 8 / 1000;
  const all = {
    etag: '"1"',
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'etag, content-range',
    ...headers,
  };
  const server = createServer((request, response) => {
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    if (from !== undefined && headers['content-encoding'] === undefined) {
      const part = file.subarray(Number(from), Number(to) + 1);
      const range = `bytes ${from}-${to}/${file.length}`;
      response.writeHead(206, { ...all, 'content-range': range, 'content-length': part.length }).end(part);
      return;
    }
    response.writeHead(200, { ...all, 'content-length': file.length });
    const start = performance.now();
    let sent = 0;
    const timer = setInterval(() => {
      const end = Math.min(file.length, Math.floor((performance.now() - start) * bytesPerMs));
      if (end > sent) response.write(file.subarray(sent, end));
      sent = end;
      if (sent < file.length) return;
      clearInterval(timer);
      response.end();
      sentAt = performance.now();
    }, TICK_MS);
    response.on('close', () => clearInterval(timer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/key`,
    sentAt: () => sentAt,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
