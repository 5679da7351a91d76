/** What the browser tells about the adapter; parts may be empty strings. */
export interface DeviceInfo {
  readonly vendor: string;
  readonly architecture: string;
  readonly description: string;
  /** A software adapter: results are right, times mean nothing. */
  readonly isSoftware: boolean;
}

/** A name for the adapter, which tells models and drivers apart as far as the browser does. */
export function adapterName({ vendor, architecture, description }: DeviceInfo): string {
  return [vendor, architecture, description].filter((part) => part !== '').join(' ') || 'unnamed';
}
