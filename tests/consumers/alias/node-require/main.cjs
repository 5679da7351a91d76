const { readFileSync } = require('node:fs');
const { isReplaced, proveNote, verifyNote } = require('note-library');

const json = (path) => JSON.parse(readFileSync(path, 'utf8'));

async function main() {
  if (!isReplaced) throw new Error('expected the library to call Pippin, got snarkjs');
  const { proof, publicSignals } = await proveNote(json('key/input.json'), 'key/note.wasm', 'key/note.zkey');
  const verified = await verifyNote(json('key/note.vkey.json'), publicSignals, proof);
  console.log(JSON.stringify({ proof, publicSignals, verified }));
}

main();
