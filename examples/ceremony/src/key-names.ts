/** Digits of a contribution's number in the names of a ceremony's files: note_0003.zkey. */
const DIGITS = 4;

/** What the new key's file is called: `note_0003.zkey` becomes `note_0004.zkey`. */
export function nextKeyName(opened: string, number: number): string {
  const base = opened.replace(/\.zkey$/i, '').replace(/_\d+$/, '');
  return `${base === '' ? 'key' : base}_${String(number).padStart(DIGITS, '0')}.zkey`;
}
