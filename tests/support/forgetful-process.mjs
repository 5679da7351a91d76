// A program that never disposes its prover: node forgetful-process.mjs ENTRY KEY WITNESS HOW. It writes what it did to
// its standard output.
import process from 'node:process';

const [entry, keyFile, witnessFile, how] = process.argv.slice(2);
const { createProver } = await import(entry);

const folder = process.env.PIPPIN_TEST_CACHE;
const prover = await createProver({
  backend: how === 'with a GPU' ? 'auto' : 'wasm',
  threads: how === 'without workers' ? 0 : 2,
  cache: folder === undefined ? false : { directory: folder },
});

const actions = {
  'only started': () => 'started',
  proved: async () => {
    const key = await prover.groth16.loadKey(keyFile);
    const { publicSignals } = await prover.groth16.prove(key, witnessFile);
    return `proved ${publicSignals.length} ${key.report.cached}`;
  },
  'proved after a pause': async () => {
    const key = await prover.groth16.loadKey(keyFile);
    await new Promise((resolve) => setTimeout(resolve, 50));
    const { publicSignals } = await prover.groth16.prove(key, witnessFile);
    return `proved ${publicSignals.length} ${key.report.cached}`;
  },
  aborted: async () => {
    const controller = new AbortController();
    const loading = prover.groth16.loadKey(keyFile, {
      signal: controller.signal,
      onProgress: () => controller.abort(),
    });
    return loading.catch(({ code }) => code);
  },
  failed: () => prover.groth16.loadKey(`${keyFile}.missing`).catch(({ code }) => code),
  'without workers': () => actions.proved(),
  'with a GPU': async () => {
    // Auto opens the GPU a second after the start.
    await new Promise((resolve) => setTimeout(resolve, 1200));
    return actions.proved();
  },
};
console.log(await actions[how]());
