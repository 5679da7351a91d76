import notes from '../../groth16-commitment/key/notes.json';

/** A note of the wallet, with the inputs of its proof. A real wallet has its secrets encrypted, and decrypts them in the service worker. */
export interface Note {
  readonly label: string;
  readonly commitment: string;
  readonly inputs: {
    readonly amount: string;
    readonly recipient: string;
    readonly [name: string]: string | readonly string[];
  };
}

export const NOTES: readonly Note[] = notes;
