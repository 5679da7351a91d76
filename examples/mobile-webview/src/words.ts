import type { HostKind, PageMessage } from 'pippin-prover/webview';

type Phase = Extract<PageMessage, { type: 'progress' }>['phase'];

/** What is said while a phase runs. */
export const DOING: Readonly<Record<Phase, string>> = {
  read: 'Reading the files',
  hash: 'Checking the key’s bytes',
  'cache-read': 'Reading the prepared key',
  prepare: 'Preparing the key’s points',
  precompute: 'Computing multiples of the key’s points',
  upload: 'Copying the points to the GPU',
  distribute: 'Handing the points to the workers',
  witness: 'Computing the witness',
  constraints: 'Evaluating the constraints',
  transform: 'Transforming the polynomials',
  msm: 'Multiplying points',
  combine: 'Putting the proof together',
  verify: 'Verifying the proof',
  tune: 'Measuring this device',
};

/** The channels, as app developers know them. */
export const CHANNELS: Readonly<Record<HostKind | 'page', string>> = {
  'android-listener': 'Android, message listener',
  'android-interface': 'Android, JavaScript interface',
  webkit: 'WKWebView, message handler',
  'react-native': 'react-native-webview',
  page: 'none: the page plays the app',
};

/** The end of an id, which is enough to tell proofs apart. */
export function shortId(id: string): string {
  return id.length > 14 ? `…${id.slice(-12)}` : id;
}

export function mebibytes(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MiB`;
}
