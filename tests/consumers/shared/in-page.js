import { spend } from './spend.js';

const json = async (url) => (await fetch(url)).json();

/** Spends the note of the page's own key. A failure is given as what the page shows of it. */
export async function spendInPage() {
  try {
    const inputs = await json('/key/input.json');
    const verificationKey = await json('/key/note.vkey.json');
    return await spend({ zkey: '/key/note.zkey', wasm: '/key/note.wasm', inputs, verificationKey });
  } catch (error) {
    return { error: `${error.code}: ${error.message}`, hint: error.hint };
  }
}
