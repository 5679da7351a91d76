import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a server answers to a request for a part of a file. */
export interface RangeAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Whether the connection breaks off after the body, as if more were to come. */
  readonly breaksOff?: boolean;
}

/** How the server answers for a file. */
export interface ServedFile {
  readonly bytes: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  /** What it answers to HEAD, if not what it answers to GET. */
  readonly head?: { readonly status?: number; readonly headers?: Readonly<Record<string, string>> };
  /** Whether it sends the file even to those who have it by its ETag. */
  readonly ignoresConditions?: boolean;
  /** The path to which it sends the client on. */
  readonly redirect?: string;
  /**
   * What it answers to the requests for a part, counted from 0, given the honest answer. Without it the server does not
   * know ranges.
   */
  readonly ranges?: (honest: RangeAnswer, nth: number) => RangeAnswer | Promise<RangeAnswer>;
  /**
   * Sends the body of an answer to GET without a Range, by the bytes that it shall have in all so far. Without the last
   * of them the connection breaks off at the end.
   */
  readonly send?: (upTo: (end: number) => Promise<void>) => Promise<void>;
  /** Called before the answer; the answer waits for it. */
  readonly before?: () => Promise<void>;
}

/** A server on this machine that counts what it is asked for. */
export class FileServer {
  readonly files = new Map<string, ServedFile>();
  /** The requests since `take`, such as "GET /key". */
  private requests: string[] = [];
  private bytesSent = 0;
  private rangesAsked = 0;

  private constructor(
    private readonly server: Server,
    readonly origin: string,
  ) {}

  static async start(): Promise<FileServer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const files = new FileServer(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.on('request', (request, response) => void files.answer(request, response));
    return files;
  }

  url(path: string): string {
    return this.origin + path;
  }

  /** The requests and the bytes of files that were sent since the last call. */
  take(): { requests: string[]; bytes: number } {
    const taken = { requests: this.requests, bytes: this.bytesSent };
    this.requests = [];
    this.bytesSent = 0;
    this.rangesAsked = 0;
    return taken;
  }

  stop(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  private async answer({ method, url, headers: asked }: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = url ?? '';
    this.requests.push(`${method} ${path}`);
    const file = this.files.get(path);
    await file?.before?.();
    if (file === undefined) response.writeHead(404).end();
    else if (file.redirect !== undefined) response.writeHead(302, { location: file.redirect }).end();
    else if (method === 'HEAD') {
      const { status = 200, headers = file.headers } = file.head ?? {};
      response.writeHead(status, { 'content-length': String(file.bytes.length), ...headers }).end();
    } else if (file.ignoresConditions !== true && asked['if-none-match'] === (file.headers?.etag ?? '')) {
      response.writeHead(304, file.headers).end();
    } else if (file.ranges !== undefined && asked.range !== undefined) {
      const answer = await file.ranges(rangeAnswer(file, asked.range), this.rangesAsked++);
      this.bytesSent += answer.body.length;
      response.writeHead(answer.status, { 'content-length': String(answer.body.length), ...answer.headers });
      if (answer.breaksOff === true) response.write(answer.body, () => response.destroy());
      else response.end(answer.body);
    } else {
      this.bytesSent += file.bytes.length;
      const isChunked = file.headers?.['transfer-encoding'] === 'chunked';
      const length = isChunked ? {} : { 'content-length': String(file.bytes.length) };
      response.writeHead(200, { ...length, ...file.headers });
      if (file.send === undefined) response.end(file.bytes);
      else await sendPaced(response, file.bytes, file.send);
    }
  }
}

async function sendPaced(
  response: ServerResponse,
  bytes: Uint8Array,
  send: NonNullable<ServedFile['send']>,
): Promise<void> {
  let sent = 0;
  response.flushHeaders();
  await send(async (end) => {
    const part = bytes.subarray(sent, end);
    sent = end;
    await new Promise<void>((resolve) => response.write(part, () => resolve()));
  });
  if (sent === bytes.length) response.end();
  else response.destroy();
}

/** The part that a client asks for by `bytes=first-last`. */
function rangeAnswer({ bytes, headers = {} }: ServedFile, range: string): RangeAnswer {
  const [first = 0, last = 0] = (range.match(/\d+/g) ?? []).map(Number);
  const body = bytes.subarray(first, last + 1);
  const contentRange = `bytes ${first}-${first + body.length - 1}/${bytes.length}`;
  return { status: 206, headers: { ...headers, 'content-range': contentRange }, body };
}
