/** Hexadecimal digits of an address of 20 bytes. */
const DIGITS = 40;

/** What is wrong with a recipient as typed, in words that say how to mend it; undefined for an address. */
export function recipientFault(typed: string): string | undefined {
  if (typed === '') return 'Enter the address of who is to receive the note.';
  if (!/^0x/i.test(typed)) return 'An address begins with 0x.';
  const digits = typed.slice(2);
  const stranger = /[^0-9a-f]/i.exec(digits)?.[0];
  if (stranger !== undefined) {
    const name = stranger.trim() === '' ? 'a space' : `“${stranger}”`;
    return `An address has only the digits 0 to 9 and the letters a to f after 0x, and no ${name.replace(/^a /, '')}.`;
  }
  if (digits.length < DIGITS)
    return `${count(DIGITS - digits.length)} missing: an address has ${DIGITS} digits after 0x.`;
  if (digits.length > DIGITS)
    return `${count(digits.length - DIGITS)} too many: an address has ${DIGITS} digits after 0x.`;
  return undefined;
}

function count(digits: number): string {
  return digits === 1 ? 'One digit is' : `${digits} digits are`;
}
