/** Millionths of a coin in one coin. */
const UNITS = 1_000_000n;

/** An amount in millionths as coins with two places, such as `1,850.00`. */
export function coins(amount: string): string {
  const units = BigInt(amount);
  const cents = ((units % UNITS) / 10_000n).toString().padStart(2, '0');
  return `${(units / UNITS).toLocaleString('en')}.${cents}`;
}

/** A number as hex without its middle: `0x1a2b…9f0e`. */
export function shortHex(decimal: string): string {
  const hex = BigInt(decimal).toString(16).padStart(64, '0');
  return `0x${hex.slice(0, 6)}…${hex.slice(-6)}`;
}

/** An address without its middle. */
export function shortAddress(address: string): string {
  return `${address.slice(0, 8)}…${address.slice(-6)}`;
}

/** Milliseconds in seconds: `2.71 s`. */
export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(ms < 9_995 ? 2 : 1)} s`;
}
