import { findHostChannel, PippinError, type ServeOptions, serveProver } from 'pippin-prover/webview';
import keyUrl from '../../groth16-commitment/key/note.pzkey?url';
import wasmUrl from '../../groth16-commitment/key/note.wasm?url';
import sha256 from '../../groth16-commitment/key/sha256.json';
import { AppInPage } from './app-in-page.js';
import { PageView } from './page-view.js';
import { CHANNELS, mebibytes } from './words.js';

/**
 * Parameters of the URL, by which an app sets up its page: `backend` (auto, webgpu, wasm), `background` (pause, abort, continue), `grace`
 * (milliseconds) and `memory` (MiB).
 */
const parameters = new URLSearchParams(location.search);
const chosen = <T extends string>(name: string): T | undefined => (parameters.get(name) as T | null) ?? undefined;
const number = (name: string): number | undefined => (parameters.has(name) ? Number(parameters.get(name)) : undefined);

const view = new PageView();
try {
  const app = findHostChannel() === undefined ? new AppInPage() : undefined;
  const memory = number('memory');
  const service = await serveProver({
    circuits: {
      note: {
        zkey: new URL(keyUrl, location.href),
        wasm: new URL(wasmUrl, location.href),
        keyOptions: { sha256: sha256['note.pzkey'] },
      },
    },
    prover: defined({ backend: chosen('backend'), memoryBudget: memory && memory * 2 ** 20 }),
    ...defined({ background: chosen('background'), backgroundGrace: number('grace'), channel: app?.channel }),
    onMessage: (message) => view.show(message),
  } as ServeOptions);
  app?.show();
  view.showFacts({
    Channel: CHANNELS[app === undefined ? service.channel : 'page'],
    Origin: location.origin,
    Workers: String(service.budget.threads),
    'Memory budget': mebibytes(service.budget.memoryBudget),
    'Shared memory': crossOriginIsolated ? 'there, not used' : 'none, not needed',
  });
} catch (error) {
  if (!(error instanceof PippinError)) throw error;
  view.showFailure(error.message, error.hint);
}

/** An object without the members that are undefined. */
function defined<T extends object>(members: T): Partial<T> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Partial<T>;
}
