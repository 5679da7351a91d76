import type { TrustedScriptUrl } from '../api/index.js';
import { packageFile, startUrl } from './script-urls.js';

/**
 * The name of Pippin's policy of Trusted Types. A page whose content security policy requires Trusted Types and lists
 * the policies that may be made (`trusted-types`) lists this name. Do not change it: pages rely on it.
 */
export const POLICY_NAME = 'pippin-prover';

/** The parts of the Trusted Types API (https://www.w3.org/TR/trusted-types/) that are used here. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): ScriptPolicy;
  isScriptURL(value: unknown): boolean;
}

interface ScriptPolicy {
  /** A TrustedScriptURL, which a Worker takes like a string. */
  createScriptURL(url: string): unknown;
}

/**
 * The policy of each environment, undefined where it may not be made. It is made once: a second one of the same name is
 * refused.
 */
const policies = new WeakMap<TrustedTypes, ScriptPolicy | undefined>();

function trustedTypes(): TrustedTypes | undefined {
  return (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes;
}

/**
 * Whether this environment knows Trusted Types. Whether it requires them cannot be asked without breaking the policy.
 */
export function knowsTrustedTypes(): boolean {
  return trustedTypes() !== undefined;
}

/** Whether a value is a TrustedScriptURL. */
export function isTrustedScriptUrl(value: unknown): boolean {
  return trustedTypes()?.isScriptURL(value) === true;
}

function scriptPolicy(): ScriptPolicy | undefined {
  const factory = trustedTypes();
  if (factory === undefined) return undefined;
  if (!policies.has(factory)) {
    let policy: ScriptPolicy | undefined;
    try {
      // The policy never leaves this module, and gets nothing but the URLs that its two callers name.
      policy = factory.createPolicy(POLICY_NAME, { createScriptURL: (url) => url });
    } catch {
      // The page does not allow it. If it requires Trusted Types, starting a worker fails with an error that says so.
    }
    policies.set(factory, policy);
  }
  return policies.get(factory);
}

/**
 * The URL of a worker's script as a Worker takes it here.
 *
 * @param trusted whether the caller gave what it was made from as a TrustedScriptURL.
 */
export function workerScript(url: string, trusted: boolean): string {
  const policy = trusted ? scriptPolicy() : undefined;
  return policy === undefined ? url : (policy.createScriptURL(url) as string);
}

/**
 * Runs `start`, which starts a worker of the package by `new Worker(new URL('./name.js', import.meta.url))`, and puts
 * the place of the file in place of that URL: where the package was moved, by a start script where it is of another
 * origin, and as a TrustedScriptURL where there are Trusted Types.
 *
 * Bundlers find a worker's script only by this literal form, with the global `Worker`, and put the real URL into it. So
 * that this URL can be looked at, `Worker` is another function while `start` runs, which it does without a break.
 */
export function startPackageWorker(start: () => Worker): Worker {
  const policy = scriptPolicy();
  const scope = globalThis as { Worker: typeof Worker };
  const Original = scope.Worker;
  if (!isWritable(scope, 'Worker')) return start();
  scope.Worker = function Worker(url: string | URL, options?: WorkerOptions) {
    const given = String(url);
    const script = startUrl(packageFile(given), options);
    if (script === given && isTrustedScriptUrl(url)) return new Original(url, options);
    return new Original(policy === undefined ? script : (policy.createScriptURL(script) as string), options);
  } as unknown as typeof Worker;
  try {
    return start();
  } finally {
    scope.Worker = Original;
  }
}

/** Starts a worker from the script that the caller named, by a start script where it is of another origin. */
export function startGivenWorker(script: string | TrustedScriptUrl): Worker {
  const options = { type: 'module' } as const;
  const url = startUrl(String(script), options);
  // What was given as a string stays one: no policy vouches for it.
  return new Worker(
    url === String(script) ? (script as string) : workerScript(url, typeof script !== 'string'),
    options,
  );
}

/** Whether the property can be assigned: not in an environment that was frozen. */
function isWritable(object: object, name: string): boolean {
  return Object.getOwnPropertyDescriptor(object, name)?.writable === true;
}
