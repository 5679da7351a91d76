/** What a wait of so many milliseconds means to whoever waits, from short to long. */
const WAITS: readonly { readonly below: number; readonly means: string }[] = [
  { below: 100, means: 'nobody notices it' },
  { below: 400, means: 'it feels immediate behind a button' },
  { below: 1000, means: 'a short wait, fine behind a button' },
  { below: 3000, means: 'fine for a wallet’s confirmation screen' },
  { below: 10_000, means: 'bearable with a progress bar' },
  { below: 30_000, means: 'long: only for what happens seldom, with progress and a way to cancel' },
];

const TOO_LONG = 'too long to wait for: better in the background, or on a faster device';

/** What a proof that takes so long is good for, or whatever else ends with one. */
export function verdict(ms: number, per = 'a proof'): string {
  return `About ${roughly(ms)} ${per}: ${WAITS.find(({ below }) => ms < below)?.means ?? TOO_LONG}.`;
}

/** A time as people say it: two digits at most. */
export function roughly(ms: number): string {
  if (ms < 1000) return `${Number(ms.toPrecision(2))} ms`;
  const seconds = ms / 1000;
  return seconds < 90 ? `${Number(seconds.toPrecision(2))} s` : `${Math.round(seconds / 60)} minutes`;
}
