/** Millionths of a coin in one coin. */
const UNITS = 1_000_000n;

/** Milliseconds, or seconds from one on: `7.4 ms`, `312 ms`, `2.71 s`, `12.3 s`. */
export function duration(ms: number): string {
  if (ms < 9.95) return `${ms.toFixed(1)} ms`;
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  return `${(ms / 1000).toFixed(ms < 9_995 ? 2 : 1)} s`;
}

/** An amount in millionths as coins with two places, such as `1,850.00`. */
export function coins(amount: string): string {
  const units = BigInt(amount);
  const whole = (units / UNITS).toLocaleString('en');
  const cents = ((units % UNITS) / 10_000n).toString().padStart(2, '0');
  return `${whole}.${cents}`;
}

/** A field element as hex without its middle: `0x1a2b…9f0e`. */
export function shortHex(decimal: string): string {
  const hex = BigInt(decimal).toString(16).padStart(64, '0');
  return `0x${hex.slice(0, 4)}…${hex.slice(-4)}`;
}

/** An address of 20 bytes as hex. */
export function address(decimal: string): string {
  return `0x${BigInt(decimal).toString(16).padStart(40, '0')}`;
}
