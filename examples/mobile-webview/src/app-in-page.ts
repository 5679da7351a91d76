import type { HostChannel } from 'pippin-prover/webview';
import { connectProver, PippinError, type ProverConnection } from 'pippin-prover/webview-client';
import inputs from '../../groth16-commitment/key/input.json';
import { byId } from '../../groth16-commitment/src/dom.js';

/** Stands in for the app where none shows the page: the buttons do what an app does, through the same messages. */
export class AppInPage {
  readonly channel: HostChannel;
  private readonly connection: ProverConnection;
  private abort = new AbortController();
  private toPage: (data: unknown) => void = () => undefined;

  constructor() {
    // Each side gets a message after the other's call has ended, as between two processes.
    this.connection = connectProver({ send: (text) => queueMicrotask(() => this.toPage(text)) });
    this.channel = {
      kind: 'react-native',
      post: (text) => queueMicrotask(() => this.connection.receive(text)),
      listen: (receive) => {
        this.toPage = receive;
        return () => {
          this.toPage = () => undefined;
        };
      },
    };
  }

  /** Shows the buttons. */
  show(): void {
    byId('play', HTMLElement).hidden = false;
    byId('prove', HTMLButtonElement).addEventListener('click', () => void this.prove());
    byId('cancel', HTMLButtonElement).addEventListener('click', () => this.cancel());
    const background = byId('background', HTMLButtonElement);
    background.addEventListener('click', () => {
      const away = background.getAttribute('aria-pressed') !== 'true';
      background.setAttribute('aria-pressed', String(away));
      background.textContent = away ? 'Back to the app' : 'To the background';
      this.connection.setVisible(!away);
    });
  }

  private async prove(): Promise<void> {
    try {
      await this.connection.prove('note', inputs, { signal: this.abort.signal });
    } catch (error) {
      // The page shows it already.
      if (!(error instanceof PippinError)) throw error;
    }
  }

  private cancel(): void {
    this.abort.abort();
    this.abort = new AbortController();
  }
}
