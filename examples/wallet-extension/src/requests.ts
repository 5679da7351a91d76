import type { Spend } from './spends.js';

/** What the popup, and the document that proves, ask of the service worker. */
export type Request =
  /** Spend a note, by its number, to an address of 20 bytes in hex. */
  | { readonly type: 'spend'; readonly note: number; readonly recipient: string }
  | { readonly type: 'cancel'; readonly id: string }
  /** Forget what became of the spend. */
  | { readonly type: 'clear' }
  /** Look after the spend under way: its proof may have ended while the service worker had. */
  | { readonly type: 'look' };

/** Sends a request to the service worker, which wakes if it has been ended. Nothing happens where there is none. */
export async function send(request: Request): Promise<void> {
  await chrome.runtime.sendMessage(request).catch(() => undefined);
}

/** Whether a message is a request of one of the extension's own pages. */
export function isRequest(message: unknown, sender: chrome.runtime.MessageSender): message is Request {
  const isOwn = sender.id === chrome.runtime.id && sender.url?.startsWith(chrome.runtime.getURL('/')) === true;
  return isOwn && typeof message === 'object' && message !== null && 'type' in message;
}

export type { Spend };
