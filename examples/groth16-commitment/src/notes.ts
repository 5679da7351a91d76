import notes from '../key/notes.json';

/** A note of the wallet, with the inputs that the circuit needs. Numbers are decimal strings. */
export interface Note {
  readonly label: string;
  readonly commitment: string;
  readonly inputs: NoteInputs;
}

export interface NoteInputs {
  /** Root of the tree that has the note. */
  readonly root: string;
  /** The recipient: an address of 20 bytes as a number. */
  readonly recipient: string;
  /** Millionths of a coin. */
  readonly amount: string;
  readonly secretKey: string;
  readonly blinding: string;
  readonly leafIndex: string;
  /** The nodes beside the path from the leaf to the root. */
  readonly siblings: readonly string[];
}

export const NOTES: readonly Note[] = notes;

/** The circuit's inputs for spending a note to an address such as `0x12…` with 40 hexadecimal digits. */
export function spendInputs(note: Note, recipient: string): { readonly [name: string]: string | readonly string[] } {
  return { ...note.inputs, recipient: BigInt(recipient).toString() };
}
