import type { ExtensionApi, ExtensionPort } from '../../sdk/hosts/extension/extension-api.js';

/** The most characters of JSON that a message of Chromium has. */
const MOST = 2 ** 26;

/** The URL of the fake extension's root. */
export const ORIGIN = 'chrome-extension://pippin/';

/**
 * An extension as Chromium has it, with pages that talk through its ports: messages carry JSON only, arrive later, and
 * are bounded; a port ends when no page of the other side has it any more.
 */
export class FakeExtension {
  /** Messages that were sent, as JSON. */
  readonly sent: string[] = [];
  readonly pages = new Set<FakePage>();
  offscreen: FakePage | undefined;
  /** How often an offscreen document was made. */
  made = 0;
  id: string | undefined = 'pippin';

  /** @param load runs the scripts of the offscreen document. */
  constructor(private readonly load: (page: FakePage) => void) {}

  open(url: string): FakePage {
    const page = new FakePage(this, `${ORIGIN}${url}`);
    this.pages.add(page);
    return page;
  }

  /** As Chromium does, which has no URL for a document that is being opened. */
  contexts(): { documentUrl: string }[] {
    if (this.offscreen === undefined) return [];
    return [{ documentUrl: this.offscreen.listeners.size > 0 ? this.offscreen.url : '' }];
  }

  async createDocument(url: string): Promise<void> {
    if (this.offscreen !== undefined) throw new Error('Only a single offscreen document may be created.');
    const page = this.open(url.replace(ORIGIN, ''));
    this.offscreen = page;
    this.made++;
    await Promise.resolve();
    this.load(page);
  }

  /** The extension is reloaded: its document goes, and pages that stay lose the API. */
  reload(): void {
    this.id = undefined;
    this.offscreen?.close();
  }
}

/** A page, or the service worker. */
export class FakePage {
  readonly listeners = new Set<(port: ExtensionPort) => void>();
  readonly ports = new Set<FakePort>();

  readonly api: ExtensionApi;

  constructor(
    readonly extension: FakeExtension,
    readonly url: string,
  ) {
    this.api = this.makeApi();
  }

  /** Ends the page with all its ports. */
  close(): void {
    const { extension } = this;
    extension.pages.delete(this);
    if (extension.offscreen === this) extension.offscreen = undefined;
    this.listeners.clear();
    for (const port of [...this.ports]) port.disconnect();
  }

  private makeApi(): ExtensionApi {
    const { extension } = this;
    return {
      runtime: {
        get id() {
          return extension.id;
        },
        getURL: (path) => new URL(path, ORIGIN).href,
        connect: ({ name }) => this.connect(name),
        onConnect: {
          addListener: (listener) => void this.listeners.add(listener),
          removeListener: (listener) => void this.listeners.delete(listener),
        },
        getContexts: async () => extension.contexts(),
      },
      offscreen: { createDocument: ({ url }) => extension.createDocument(new URL(url, ORIGIN).href) },
    };
  }

  private connect(name: string): ExtensionPort {
    const { extension } = this;
    if (extension.id === undefined) throw new Error('Extension context invalidated.');
    const near = new FakePort(this, name);
    const others = [...extension.pages].filter((page) => page !== this && page.listeners.size > 0);
    for (const page of others) {
      const far = new FakePort(page, name, { id: extension.id, url: this.url });
      far.others.add(near);
      near.others.add(far);
      for (const listener of page.listeners) listener(far);
    }
    if (others.length === 0) queueMicrotask(() => near.lose());
    return near;
  }
}

class FakePort implements ExtensionPort {
  readonly others = new Set<FakePort>();
  private isOpen = true;
  private readonly messages: ((message: unknown) => void)[] = [];
  private readonly ends: (() => void)[] = [];
  readonly onMessage = { addListener: (listener: (message: unknown) => void) => void this.messages.push(listener) };
  readonly onDisconnect = { addListener: (listener: () => void) => void this.ends.push(listener) };

  constructor(
    private readonly page: FakePage,
    readonly name: string,
    readonly sender?: { readonly id: string; readonly url: string },
  ) {
    page.ports.add(this);
  }

  postMessage(message: unknown): void {
    if (!this.isOpen) throw new Error('Attempting to use a disconnected port object');
    const text = JSON.stringify(message);
    if (text.length > MOST) throw new Error('Message length exceeded maximum allowed length.');
    this.page.extension.sent.push(text);
    for (const other of this.others) queueMicrotask(() => other.take(JSON.parse(text)));
  }

  disconnect(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.page.ports.delete(this);
    for (const other of this.others) {
      other.others.delete(this);
      if (other.others.size === 0) queueMicrotask(() => other.lose());
    }
  }

  /** The other side has gone. */
  lose(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.page.ports.delete(this);
    for (const listener of this.ends) listener();
  }

  private take(message: unknown): void {
    if (this.isOpen) for (const listener of this.messages) listener(message);
  }
}
