/**
 * The spend that the popup shows. It lies in `storage.session`, in memory and out of reach of web pages, and holds nothing secret: no key and no
 * input of the proof, only what the chain will see.
 */
export interface Spend {
  /** Also the id of its proof. */
  readonly id: string;
  /** The number of the note. */
  readonly note: number;
  readonly recipient: string;
  readonly state: 'proving' | 'proved' | 'cancelled' | 'failed';
  /** When it began, in milliseconds since 1970. */
  readonly began: number;
  /** How long the proof took, in milliseconds. */
  readonly ms?: number;
  /** What goes to the chain. */
  readonly proof?: { readonly proof: object; readonly publicSignals: readonly string[] };
  /** Why it failed, as the code of the error. */
  readonly code?: string;
}

const KEY = 'spend';

export async function readSpend(): Promise<Spend | undefined> {
  return (await chrome.storage.session.get(KEY))[KEY] as Spend | undefined;
}

export async function writeSpend(spend: Spend): Promise<void> {
  await chrome.storage.session.set({ [KEY]: spend });
}

export async function clearSpend(): Promise<void> {
  await chrome.storage.session.remove(KEY);
}

/** Calls the listener with each change, whoever makes it. */
export function onSpendChange(listener: (spend: Spend | undefined) => void): void {
  chrome.storage.session.onChanged.addListener((changes) => {
    const change = changes[KEY];
    if (change !== undefined) listener(change.newValue as Spend | undefined);
  });
}
