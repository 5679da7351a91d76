/** The browser's adapter info; fields may be empty strings. */
export interface DeviceInfo {
  readonly vendor: string;
  readonly architecture: string;
  readonly description: string;
  /** A software adapter: results are correct, but times are meaningless. */
  readonly isSoftware: boolean;
}

/** A name for the adapter that distinguishes models and drivers as far as the browser does. */
export function adapterName({ vendor, architecture, description }: DeviceInfo): string {
  return [vendor, architecture, description].filter((part) => part !== '').join(' ') || 'unnamed';
}
