import { messageOf, PippinError } from '../../base/errors.js';
import { ownMembers } from '../../base/records.js';
import type { ExtensionPort } from './extension-api.js';

/** The maximum length of a message as JSON, in characters. */
export const MAX_MESSAGE = 2 ** 26;
/**
 * Characters of a frame. Chromium rejects messages of 64 MiB; quotes and control characters take up to six times as
 * many bytes there.
 */
const FRAME = 2 ** 22;

/** A part of a message, at least `FRAME` characters unless it is the last. Frames of one message are consecutive. */
interface Frame {
  readonly part: string;
  readonly last: boolean;
}

/**
 * Sends messages of any size through a port of the extension, as JSON cut into frames, and reassembles incoming ones. A
 * port that delivers anything else is closed.
 */
export class FramedPort {
  private parts: string[] = [];
  private length = 0;
  private isOpen = true;

  /**
   * @param onMessage called with the members of each message; none for JSON that is not an object.
   * @param onEnd called once when the other side is gone, or has sent something else. Not called after `end`.
   * @param onFrame called for each part of a message; a large one takes seconds to arrive.
   */
  constructor(
    private readonly port: ExtensionPort,
    private readonly onMessage: (message: Readonly<Record<string, unknown>>) => void,
    private readonly onEnd: () => void,
    private readonly onFrame: () => void = () => undefined,
  ) {
    port.onMessage.addListener((frame) => this.take(frame));
    port.onDisconnect.addListener(() => this.lose());
  }

  /** Sends a JSON value. `INVALID_LENGTH` if it is too long. Does nothing if the other side is gone. */
  send(message: unknown): void {
    if (!this.isOpen) return;
    const text = textOf(message);
    for (let at = 0; at < text.length; at += FRAME) {
      const frame: Frame = { part: text.slice(at, at + FRAME), last: at + FRAME >= text.length };
      try {
        this.port.postMessage(frame);
      } catch {
        // The port is closed; its event may never come.
        this.lose();
        return;
      }
    }
  }

  /** Closes the port. */
  end(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.parts = [];
    try {
      this.port.disconnect();
    } catch {
      // A page of a reloaded extension cannot even do this.
    }
  }

  private lose(): void {
    if (!this.isOpen) return;
    this.end();
    this.onEnd();
  }

  private take(frame: unknown): void {
    if (!this.isOpen) return;
    const { part, last } = ownMembers(frame);
    // Only the last part may be short: empty parts could come without end.
    const isPart = typeof part === 'string' && (last === true || (last === false && part.length >= FRAME));
    if (!isPart || this.length + part.length > MAX_MESSAGE) {
      this.lose();
      return;
    }
    this.onFrame();
    this.parts.push(part);
    this.length += part.length;
    if (!last) return;
    const text = this.parts.join('');
    this.parts = [];
    this.length = 0;
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      this.lose();
      return;
    }
    this.onMessage(ownMembers(message));
  }
}

function textOf(message: unknown): string {
  let text: string;
  try {
    text = JSON.stringify(message);
  } catch (error) {
    // Longer than a string can be, or no JSON value.
    throw new PippinError('INVALID_ARGUMENT', `expected arguments that JSON can carry: ${messageOf(error)}`);
  }
  if (text.length <= MAX_MESSAGE) return text;
  throw new PippinError(
    'INVALID_LENGTH',
    `expected a message of at most ${MAX_MESSAGE} characters, got ${text.length}`,
  );
}
