import { PippinError } from '../base/errors.js';

/** The optional packages of this entry. They are loaded when they are first needed, so that a missing one is an error which says what to do. */
export const loadBullmq = (): Promise<Pick<typeof import('bullmq'), 'Queue' | 'QueueEvents' | 'Worker'>> =>
  loaded('bullmq', () => import('bullmq'));
export const loadIoredis = () => loaded('ioredis', () => import('ioredis'));
export const loadSodium = () =>
  loaded('libsodium-wrappers', async () => {
    const { default: sodium } = await import('libsodium-wrappers');
    await sodium.ready;
    return sodium;
  });

/** What `load` gives. `packages`: what is to be installed where `name` is missing. */
export async function loaded<T>(
  name: string,
  load: () => Promise<T>,
  packages = 'bullmq ioredis libsodium-wrappers',
): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    throw new PippinError('UNSUPPORTED_ENVIRONMENT', `expected the package ${name}, got none that loads`, {
      cause,
      hint: `this part of pippin-prover/server needs: npm install ${packages}`,
    });
  }
}
