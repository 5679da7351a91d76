import { serveProver } from 'pippin-prover/extension';
import { send } from './requests.js';

/** The document that proves. It wakes the service worker when a proof has ended, since that may have been ended meanwhile. */
serveProver({ onEnded: () => send({ type: 'look' }) });
